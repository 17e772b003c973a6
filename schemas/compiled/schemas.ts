// Made by schemas/build.ts from schemas/**/*.json. Run `npm run schemas` after a change there.

export const schemas: Record<string, Record<string, unknown>> = {
  "A2aMessage": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A JSON-RPC 2.0 request of the Agent2Agent protocol. Errors are JSON-RPC errors, so this schema does not validate the request."
  },
  "CardQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "The assistant of the agent card.",
    "type": "object",
    "properties": {
      "assistant_id": {
        "type": "string",
        "minLength": 1,
        "description": "Id of an assistant, or the name of a graph."
      }
    },
    "required": [
      "assistant_id"
    ]
  },
  "McpMessage": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A JSON-RPC 2.0 message of the Model Context Protocol, or a list of messages in its version 2025-03-26. Errors are JSON-RPC errors, so this schema does not validate the message."
  },
  "AlertCondition": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A condition whose present value is computed.",
    "type": "object",
    "properties": {
      "project_id": {
        "type": [
          "string",
          "null"
        ],
        "description": "Id of the project whose runs are looked at. Null or missing: the projects of all assistants."
      },
      "filter": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 10000,
        "description": "Only runs that match, in the filter language of runs."
      },
      "tree_filter": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 10000,
        "description": "Only runs of traces in which any step matches."
      },
      "is_root": {
        "type": "boolean",
        "description": "True (default): whole traces. False: the steps inside of traces."
      },
      "metric": {
        "type": "string",
        "enum": [
          "run_count",
          "error_count",
          "error_rate",
          "latency_p50",
          "latency_p95",
          "latency_p99",
          "first_token_p50",
          "first_token_p95",
          "first_token_p99",
          "total_tokens",
          "total_cost",
          "feedback_score"
        ],
        "description": "Rates are from 0 to 1, latencies in seconds, costs in US dollars."
      },
      "feedback_key": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 180,
        "description": "The key whose scores are averaged, for the metric feedback_score only."
      },
      "window_seconds": {
        "type": "integer",
        "minimum": 60,
        "maximum": 604800,
        "description": "Runs that started within this time are looked at: a minute to seven days."
      },
      "operator": {
        "type": "string",
        "enum": [
          "above",
          "below"
        ]
      },
      "threshold": {
        "type": "number"
      },
      "minimum_runs": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000000,
        "description": "With fewer runs in the window, the alert has no data. Default 0."
      }
    },
    "required": [
      "metric",
      "window_seconds",
      "operator",
      "threshold"
    ],
    "additionalProperties": false
  },
  "AlertCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A condition on runs that the server checks about once a minute.",
    "type": "object",
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      },
      "project_id": {
        "type": [
          "string",
          "null"
        ],
        "description": "Id of the project whose runs are looked at. Null or missing: the projects of all assistants."
      },
      "filter": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 10000,
        "description": "Only runs that match, in the filter language of runs."
      },
      "tree_filter": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 10000,
        "description": "Only runs of traces in which any step matches."
      },
      "is_root": {
        "type": "boolean",
        "description": "True (default): whole traces. False: the steps inside of traces."
      },
      "metric": {
        "type": "string",
        "enum": [
          "run_count",
          "error_count",
          "error_rate",
          "latency_p50",
          "latency_p95",
          "latency_p99",
          "first_token_p50",
          "first_token_p95",
          "first_token_p99",
          "total_tokens",
          "total_cost",
          "feedback_score"
        ],
        "description": "Rates are from 0 to 1, latencies in seconds, costs in US dollars."
      },
      "feedback_key": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 180,
        "description": "The key whose scores are averaged, for the metric feedback_score only."
      },
      "window_seconds": {
        "type": "integer",
        "minimum": 60,
        "maximum": 604800,
        "description": "Runs that started within this time are looked at: a minute to seven days."
      },
      "operator": {
        "type": "string",
        "enum": [
          "above",
          "below"
        ]
      },
      "threshold": {
        "type": "number"
      },
      "minimum_runs": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000000,
        "description": "With fewer runs in the window, the alert has no data. Default 0."
      },
      "webhook": {
        "type": [
          "object",
          "null"
        ],
        "properties": {
          "url": {
            "type": "string",
            "minLength": 1,
            "maxLength": 65536
          },
          "headers": {
            "type": "object",
            "maxProperties": 20,
            "additionalProperties": {
              "type": "string",
              "maxLength": 4096
            },
            "description": "Sent with each call. They are not returned. A change that keeps the URL and has no headers keeps them."
          }
        },
        "required": [
          "url"
        ],
        "additionalProperties": false,
        "description": "Is called when the state changes."
      },
      "repeat_seconds": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 60,
        "maximum": 604800,
        "description": "The webhook is called again after this time while the alert is firing. Null (default): never."
      },
      "is_enabled": {
        "type": "boolean",
        "description": "Default true. A disabled alert is not checked."
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      }
    },
    "required": [
      "name",
      "metric",
      "window_seconds",
      "operator",
      "threshold"
    ],
    "additionalProperties": false
  },
  "AlertListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Alerts to return.",
    "type": "object",
    "properties": {
      "state": {
        "type": "string",
        "enum": [
          "ok",
          "firing",
          "no_data",
          "error"
        ]
      },
      "project_id": {
        "type": "string"
      }
    }
  },
  "AlertPatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Fields that are given are changed.",
    "type": "object",
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      },
      "project_id": {
        "type": [
          "string",
          "null"
        ],
        "description": "Id of the project whose runs are looked at. Null or missing: the projects of all assistants."
      },
      "filter": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 10000,
        "description": "Only runs that match, in the filter language of runs."
      },
      "tree_filter": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 10000,
        "description": "Only runs of traces in which any step matches."
      },
      "is_root": {
        "type": "boolean",
        "description": "True (default): whole traces. False: the steps inside of traces."
      },
      "metric": {
        "type": "string",
        "enum": [
          "run_count",
          "error_count",
          "error_rate",
          "latency_p50",
          "latency_p95",
          "latency_p99",
          "first_token_p50",
          "first_token_p95",
          "first_token_p99",
          "total_tokens",
          "total_cost",
          "feedback_score"
        ],
        "description": "Rates are from 0 to 1, latencies in seconds, costs in US dollars."
      },
      "feedback_key": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 180,
        "description": "The key whose scores are averaged, for the metric feedback_score only."
      },
      "window_seconds": {
        "type": "integer",
        "minimum": 60,
        "maximum": 604800,
        "description": "Runs that started within this time are looked at: a minute to seven days."
      },
      "operator": {
        "type": "string",
        "enum": [
          "above",
          "below"
        ]
      },
      "threshold": {
        "type": "number"
      },
      "minimum_runs": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000000,
        "description": "With fewer runs in the window, the alert has no data. Default 0."
      },
      "webhook": {
        "type": [
          "object",
          "null"
        ],
        "properties": {
          "url": {
            "type": "string",
            "minLength": 1,
            "maxLength": 65536
          },
          "headers": {
            "type": "object",
            "maxProperties": 20,
            "additionalProperties": {
              "type": "string",
              "maxLength": 4096
            },
            "description": "Sent with each call. They are not returned. A change that keeps the URL and has no headers keeps them."
          }
        },
        "required": [
          "url"
        ],
        "additionalProperties": false,
        "description": "Is called when the state changes."
      },
      "repeat_seconds": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 60,
        "maximum": 604800,
        "description": "The webhook is called again after this time while the alert is firing. Null (default): never."
      },
      "is_enabled": {
        "type": "boolean",
        "description": "Default true. A disabled alert is not checked."
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      }
    },
    "additionalProperties": false
  },
  "AlertTest": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Whether the check also calls the webhook.",
    "type": "object",
    "properties": {
      "send_webhook": {
        "type": "boolean",
        "description": "Default false."
      }
    },
    "additionalProperties": false
  },
  "AssistantCount": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Assistants to count.",
    "type": "object",
    "properties": {
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "The assistant's metadata must contain this."
      },
      "graph_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "name": {
        "type": [
          "string",
          "null"
        ],
        "description": "Part of the name, ignoring case."
      }
    },
    "additionalProperties": true
  },
  "AssistantCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A new assistant: a graph with a configuration.",
    "type": "object",
    "properties": {
      "graph_id": {
        "type": "string",
        "minLength": 1,
        "description": "A graph of langgraph.json."
      },
      "assistant_id": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string",
            "format": "uuid"
          }
        ]
      },
      "config": {
        "type": [
          "object",
          "null"
        ],
        "properties": {
          "tags": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "array",
                "items": {
                  "type": "string"
                }
              }
            ]
          },
          "recursion_limit": {
            "type": [
              "integer",
              "null"
            ],
            "minimum": 1,
            "maximum": 1000000
          },
          "configurable": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true
          },
          "metadata": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true
          }
        },
        "additionalProperties": true,
        "description": "Configuration of its runs. The configuration of a run overrides it."
      },
      "context": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Static context of its runs. The context of a run is merged into it."
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "if_exists": {
        "enum": [
          "raise",
          "do_nothing",
          null
        ],
        "description": "Default raise."
      },
      "name": {
        "type": [
          "string",
          "null"
        ],
        "description": "Default Untitled."
      },
      "description": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "graph_id"
    ],
    "additionalProperties": true
  },
  "AssistantDeleteQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "What to delete together with an assistant.",
    "type": "object",
    "properties": {
      "delete_threads": {
        "type": "boolean",
        "default": false,
        "description": "Also delete threads whose metadata.assistant_id is this assistant, if the caller may delete them."
      }
    }
  },
  "AssistantLatestQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "The same in the query string, for clients that send it there.",
    "type": "object",
    "properties": {
      "version": {
        "type": "integer",
        "minimum": 1
      }
    }
  },
  "AssistantLatest": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "The version to activate.",
    "type": "object",
    "properties": {
      "version": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1
      }
    },
    "additionalProperties": true
  },
  "AssistantPatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Changes to an assistant. Every patch creates a new version, even an empty one.",
    "type": "object",
    "properties": {
      "graph_id": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string",
            "minLength": 1
          }
        ]
      },
      "config": {
        "type": [
          "object",
          "null"
        ],
        "properties": {
          "tags": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "array",
                "items": {
                  "type": "string"
                }
              }
            ]
          },
          "recursion_limit": {
            "type": [
              "integer",
              "null"
            ],
            "minimum": 1,
            "maximum": 1000000
          },
          "configurable": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true
          },
          "metadata": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true
          }
        },
        "additionalProperties": true,
        "description": "Configuration of its runs. The configuration of a run overrides it."
      },
      "context": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Merged into the existing metadata."
      },
      "name": {
        "type": [
          "string",
          "null"
        ]
      },
      "description": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "additionalProperties": true
  },
  "AssistantSearch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Assistants to return, and their order.",
    "type": "object",
    "properties": {
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "The assistant's metadata must contain this."
      },
      "graph_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "name": {
        "type": [
          "string",
          "null"
        ],
        "description": "Part of the name, ignoring case."
      },
      "limit": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000
      },
      "offset": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 1000000
      },
      "sort_by": {
        "enum": [
          "assistant_id",
          "created_at",
          "updated_at",
          "name",
          "graph_id",
          null
        ],
        "description": "Default created_at."
      },
      "sort_order": {
        "enum": [
          "asc",
          "desc",
          null
        ],
        "description": "Default desc."
      },
      "select": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "enum": [
                "assistant_id",
                "graph_id",
                "name",
                "description",
                "config",
                "context",
                "created_at",
                "updated_at",
                "metadata",
                "version"
              ]
            }
          }
        ],
        "description": "Fields to return. Default all."
      }
    },
    "additionalProperties": true
  },
  "AssistantVersions": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Versions of an assistant to return, newest first.",
    "type": "object",
    "properties": {
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "The version's metadata must contain this."
      },
      "limit": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000
      },
      "offset": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 1000000
      }
    },
    "additionalProperties": true
  },
  "GraphQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "How to draw a graph.",
    "type": "object",
    "properties": {
      "xray": {
        "description": "Whether to expand subgraphs: all of them, or down to this depth.",
        "type": [
          "integer",
          "boolean"
        ],
        "minimum": 1,
        "default": false
      }
    }
  },
  "SubgraphsQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Subgraphs to return.",
    "type": "object",
    "properties": {
      "recurse": {
        "description": "Includes nested subgraphs, under names such as parent|child.",
        "type": "boolean",
        "default": false
      }
    }
  },
  "AlertParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "alert_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "alert_id"
    ]
  },
  "AssistantParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter of an assistant: its id or the name of a graph.",
    "type": "object",
    "properties": {
      "assistant_id": {
        "type": "string",
        "minLength": 1
      }
    },
    "required": [
      "assistant_id"
    ]
  },
  "AttachmentParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "token": {
        "type": "string"
      }
    },
    "required": [
      "token"
    ]
  },
  "CheckpointParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameters of a checkpoint of a thread.",
    "type": "object",
    "properties": {
      "thread_id": {
        "type": "string",
        "format": "uuid"
      },
      "checkpoint_id": {
        "type": "string",
        "minLength": 1
      }
    },
    "required": [
      "thread_id",
      "checkpoint_id"
    ]
  },
  "ComparativeParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "comparative_experiment_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "comparative_experiment_id"
    ]
  },
  "ConversationParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "thread_id": {
        "type": "string",
        "minLength": 1,
        "maxLength": 1000
      }
    },
    "required": [
      "thread_id"
    ]
  },
  "CronParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter of a cron.",
    "type": "object",
    "properties": {
      "cron_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "cron_id"
    ]
  },
  "DatasetExampleParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameters.",
    "type": "object",
    "properties": {
      "dataset_id": {
        "type": "string",
        "format": "uuid"
      },
      "example_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "dataset_id",
      "example_id"
    ]
  },
  "DatasetParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "dataset_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "dataset_id"
    ]
  },
  "EvaluationRunParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "run_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "run_id"
    ]
  },
  "ExampleParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "example_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "example_id"
    ]
  },
  "ExperimentParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameters of an experiment that the server runs.",
    "type": "object",
    "properties": {
      "experiment_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "experiment_id"
    ],
    "additionalProperties": true
  },
  "FeedbackParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "feedback_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "feedback_id"
    ]
  },
  "LoneRunParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter of a run without its thread.",
    "type": "object",
    "properties": {
      "run_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "run_id"
    ]
  },
  "PublicParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "token": {
        "type": "string"
      },
      "runs": {
        "type": "string"
      }
    },
    "required": [
      "token"
    ]
  },
  "PublicRunParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameters.",
    "type": "object",
    "properties": {
      "token": {
        "type": "string"
      },
      "run_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "token",
      "run_id"
    ]
  },
  "QueueIndexParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameters.",
    "type": "object",
    "properties": {
      "queue_id": {
        "type": "string",
        "format": "uuid"
      },
      "index": {
        "type": "string",
        "pattern": "^\\d{1,9}$"
      }
    },
    "required": [
      "queue_id",
      "index"
    ]
  },
  "QueueItemIdParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "queue_item_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "queue_item_id"
    ]
  },
  "QueueItemParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "queue_run_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "queue_run_id"
    ]
  },
  "QueueItemPlaceParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameters.",
    "type": "object",
    "properties": {
      "queue_id": {
        "type": "string",
        "format": "uuid"
      },
      "item_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "queue_id",
      "item_id"
    ]
  },
  "QueueParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "queue_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "queue_id"
    ]
  },
  "QueueRunParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameters.",
    "type": "object",
    "properties": {
      "queue_id": {
        "type": "string",
        "format": "uuid"
      },
      "queue_run_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "queue_id",
      "queue_run_id"
    ]
  },
  "RuleParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "rule_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "rule_id"
    ]
  },
  "RunParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameters of a run on a thread.",
    "type": "object",
    "properties": {
      "thread_id": {
        "type": "string",
        "format": "uuid"
      },
      "run_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "thread_id",
      "run_id"
    ]
  },
  "SessionParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "session_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "session_id"
    ]
  },
  "SubgraphParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameters of a subgraph: an assistant and a namespace, such as parent|child.",
    "type": "object",
    "properties": {
      "assistant_id": {
        "type": "string",
        "minLength": 1
      },
      "namespace": {
        "type": "string",
        "minLength": 1
      }
    },
    "required": [
      "assistant_id",
      "namespace"
    ]
  },
  "ThreadParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter of a thread.",
    "type": "object",
    "properties": {
      "thread_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "thread_id"
    ]
  },
  "TraceParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "trace_id": {
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "trace_id"
    ]
  },
  "CronCount": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Crons to count.",
    "type": "object",
    "properties": {
      "assistant_id": {
        "type": [
          "string",
          "null"
        ],
        "description": "Id of an assistant, or the name of a graph."
      },
      "thread_id": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string",
            "format": "uuid"
          }
        ]
      },
      "enabled": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "The cron's metadata must contain this."
      }
    },
    "additionalProperties": true
  },
  "CronCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A schedule and the parameters of its runs. Other fields are ignored.",
    "type": "object",
    "properties": {
      "assistant_id": {
        "type": "string",
        "minLength": 1,
        "description": "Id of an assistant, or the name of a graph."
      },
      "schedule": {
        "type": "string",
        "minLength": 1,
        "maxLength": 256,
        "description": "Five fields: minute, hour, day of the month, month, day of the week."
      },
      "timezone": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 64,
        "description": "IANA time zone of the schedule. Default UTC."
      },
      "end_time": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "description": "ISO 8601; UTC without an offset. The cron starts no runs after this time."
      },
      "enabled": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Default true. A disabled cron does not start runs."
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Metadata of the cron and of each run that it starts."
      },
      "on_run_completed": {
        "enum": [
          "delete",
          "keep",
          null
        ],
        "description": "For a cron without a thread: what to do with the thread of each run when the run ends. Default delete."
      },
      "input": {
        "description": "Input of the graph, any JSON. If it is null or missing, a thread with a checkpoint continues from there."
      },
      "config": {
        "type": [
          "object",
          "null"
        ],
        "properties": {
          "tags": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "array",
                "items": {
                  "type": "string"
                }
              }
            ]
          },
          "recursion_limit": {
            "type": [
              "integer",
              "null"
            ],
            "minimum": 1,
            "maximum": 1000000
          },
          "configurable": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true
          },
          "metadata": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true
          }
        },
        "additionalProperties": true
      },
      "context": {
        "description": "Static context of the run, merged into the context of the assistant."
      },
      "webhook": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 65536
      },
      "interrupt_before": {
        "description": "\"*\" for all nodes, or a list of node names.",
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        ]
      },
      "interrupt_after": {
        "description": "\"*\" for all nodes, or a list of node names.",
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        ]
      },
      "stream_mode": {
        "description": "One mode or a list. Default values.",
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string",
            "enum": [
              "values",
              "messages",
              "messages-tuple",
              "tasks",
              "checkpoints",
              "updates",
              "events",
              "debug",
              "custom",
              "tools"
            ]
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "enum": [
                "values",
                "messages",
                "messages-tuple",
                "tasks",
                "checkpoints",
                "updates",
                "events",
                "debug",
                "custom",
                "tools"
              ]
            },
            "maxItems": 20
          }
        ]
      },
      "stream_subgraphs": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Also stream events of subgraphs. Their event names include the namespace."
      },
      "stream_resumable": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Store the events, so that clients can reconnect with Last-Event-ID."
      },
      "durability": {
        "enum": [
          "sync",
          "async",
          "exit",
          null
        ],
        "description": "When checkpoints are stored. Default async."
      },
      "checkpoint_during": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Deprecated. false is the same as durability exit."
      },
      "multitask_strategy": {
        "enum": [
          "reject",
          "rollback",
          "interrupt",
          "enqueue",
          null
        ],
        "description": "What to do if the thread already has a run. Default enqueue."
      },
      "feedback_keys": {
        "description": "Feedback keys. When the run succeeds, it returns a feedback address for each key.",
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "minLength": 1,
              "maxLength": 180
            },
            "maxItems": 20
          }
        ]
      }
    },
    "required": [
      "assistant_id",
      "schedule"
    ],
    "additionalProperties": true
  },
  "CronPatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Changes to a cron. Null removes an optional field.",
    "type": "object",
    "properties": {
      "schedule": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 256,
        "description": "Five fields: minute, hour, day of the month, month, day of the week."
      },
      "timezone": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 64,
        "description": "IANA time zone of the schedule. Default UTC."
      },
      "end_time": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "description": "ISO 8601; UTC without an offset. The cron starts no runs after this time."
      },
      "enabled": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Default true. A disabled cron does not start runs."
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Metadata of the cron and of each run that it starts."
      },
      "on_run_completed": {
        "enum": [
          "delete",
          "keep",
          null
        ],
        "description": "For a cron without a thread: what to do with the thread of each run when the run ends. Default delete."
      },
      "input": {
        "description": "Input of the graph, any JSON. If it is null or missing, a thread with a checkpoint continues from there."
      },
      "config": {
        "type": [
          "object",
          "null"
        ],
        "properties": {
          "tags": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "array",
                "items": {
                  "type": "string"
                }
              }
            ]
          },
          "recursion_limit": {
            "type": [
              "integer",
              "null"
            ],
            "minimum": 1,
            "maximum": 1000000
          },
          "configurable": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true
          },
          "metadata": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true
          }
        },
        "additionalProperties": true
      },
      "context": {
        "description": "Static context of the run, merged into the context of the assistant."
      },
      "webhook": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 65536
      },
      "interrupt_before": {
        "description": "\"*\" for all nodes, or a list of node names.",
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        ]
      },
      "interrupt_after": {
        "description": "\"*\" for all nodes, or a list of node names.",
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        ]
      },
      "stream_mode": {
        "description": "One mode or a list. Default values.",
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string",
            "enum": [
              "values",
              "messages",
              "messages-tuple",
              "tasks",
              "checkpoints",
              "updates",
              "events",
              "debug",
              "custom",
              "tools"
            ]
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "enum": [
                "values",
                "messages",
                "messages-tuple",
                "tasks",
                "checkpoints",
                "updates",
                "events",
                "debug",
                "custom",
                "tools"
              ]
            },
            "maxItems": 20
          }
        ]
      },
      "stream_subgraphs": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Also stream events of subgraphs. Their event names include the namespace."
      },
      "stream_resumable": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Store the events, so that clients can reconnect with Last-Event-ID."
      },
      "durability": {
        "enum": [
          "sync",
          "async",
          "exit",
          null
        ],
        "description": "When checkpoints are stored. Default async."
      },
      "checkpoint_during": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Deprecated. false is the same as durability exit."
      },
      "assistant_id": {
        "type": [
          "string",
          "null"
        ],
        "description": "Cannot be changed."
      },
      "multitask_strategy": {
        "type": [
          "string",
          "null"
        ],
        "description": "Cannot be changed."
      },
      "feedback_keys": {
        "description": "Feedback keys. When the run succeeds, it returns a feedback address for each key.",
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "minLength": 1,
              "maxLength": 180
            },
            "maxItems": 20
          }
        ]
      }
    },
    "additionalProperties": true
  },
  "CronSearch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Crons to return, and their order.",
    "type": "object",
    "properties": {
      "assistant_id": {
        "type": [
          "string",
          "null"
        ],
        "description": "Id of an assistant, or the name of a graph."
      },
      "thread_id": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string",
            "format": "uuid"
          }
        ]
      },
      "enabled": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "The cron's metadata must contain this."
      },
      "limit": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000
      },
      "offset": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 1000000
      },
      "sort_by": {
        "enum": [
          "cron_id",
          "assistant_id",
          "thread_id",
          "next_run_date",
          "end_time",
          "created_at",
          "updated_at",
          null
        ],
        "description": "Default created_at. Records without a value come first, or last in descending order."
      },
      "sort_order": {
        "enum": [
          "asc",
          "desc",
          null
        ],
        "description": "Default desc."
      },
      "select": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "enum": [
                "cron_id",
                "assistant_id",
                "thread_id",
                "on_run_completed",
                "end_time",
                "schedule",
                "timezone",
                "created_at",
                "updated_at",
                "user_id",
                "payload",
                "next_run_date",
                "metadata",
                "enabled",
                "last_run_id",
                "last_run_date",
                "last_error",
                "now"
              ]
            }
          }
        ]
      }
    },
    "additionalProperties": true
  },
  "ComparativeCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A pairwise comparison of experiments.",
    "type": "object",
    "properties": {
      "id": {
        "type": [
          "string",
          "null"
        ]
      },
      "experiment_ids": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "minItems": 1,
        "maxItems": 1000
      },
      "reference_dataset_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "name": {
        "type": [
          "string",
          "null"
        ]
      },
      "description": {
        "type": [
          "string",
          "null"
        ]
      },
      "created_at": {
        "type": [
          "string",
          "null"
        ]
      },
      "modified_at": {
        "type": [
          "string",
          "null"
        ]
      },
      "extra": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      }
    },
    "required": [
      "experiment_ids"
    ]
  },
  "ComparativeListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Pairwise comparisons of the dataset to return.",
    "type": "object",
    "properties": {
      "id": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "name": {
        "type": "string"
      },
      "name_contains": {
        "type": "string"
      },
      "offset": {
        "type": "integer",
        "description": "Number of rows to skip.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "Default 100.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "ComparisonQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A comparison of experiments of one dataset with a baseline, example by example.",
    "type": "object",
    "properties": {
      "experiment_ids": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "minItems": 1,
        "maxItems": 50,
        "description": "Ids of experiments of this dataset."
      },
      "baseline_id": {
        "type": [
          "string",
          "null"
        ],
        "description": "One of experiment_ids. Default the baseline of the dataset, else the first experiment."
      },
      "feedback_key": {
        "type": [
          "string",
          "null"
        ],
        "description": "The score to which `only` and `sort_by` apply. Default the first one in alphabetical order."
      },
      "only": {
        "enum": [
          "improved",
          "regressed",
          "unchanged",
          "changed",
          "errors",
          null
        ],
        "description": "Only examples for which this is true of at least one experiment, compared with the baseline."
      },
      "sort_by": {
        "enum": [
          "example",
          "difference",
          "latency",
          null
        ],
        "description": "difference: largest regression first. latency: largest slowdown first."
      },
      "sort_order": {
        "enum": [
          "asc",
          "desc",
          null
        ]
      },
      "full_text_contains": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 20
          }
        ],
        "description": "Examples whose inputs or outputs contain all of these texts, ignoring case."
      },
      "confidence": {
        "type": [
          "number",
          "null"
        ],
        "description": "Confidence of the verdicts and intervals. Default 0.95: at most 5 % of the verdicts on experiments that do not differ are wrong.",
        "exclusiveMinimum": 0.5,
        "exclusiveMaximum": 1
      },
      "correction": {
        "enum": [
          "none",
          "holm",
          null
        ],
        "description": "holm: the confidence applies to all verdicts of the response together, not to each one. Default none."
      },
      "cursor": {
        "type": [
          "string",
          "null"
        ]
      },
      "offset": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "description": "Number of rows to skip, as an alternative to a cursor."
      },
      "example_id": {
        "type": [
          "string",
          "null"
        ],
        "description": "Returns the page of `limit` rows that contains this example, or the first page if no row does."
      },
      "limit": {
        "type": [
          "integer",
          "null"
        ],
        "description": "Default 50.",
        "minimum": 1,
        "maximum": 1000
      },
      "value_chars_max": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 100,
        "maximum": 1000000,
        "description": "Longer inputs and outputs are returned as truncated JSON text, in `inputs_preview` and `outputs_preview`. Default unlimited."
      }
    },
    "required": [
      "experiment_ids"
    ]
  },
  "DatasetClone": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Copies examples from one dataset to another.",
    "type": "object",
    "properties": {
      "source_dataset_id": {
        "type": "string"
      },
      "target_dataset_id": {
        "type": "string"
      },
      "as_of": {
        "type": [
          "string",
          "null"
        ]
      },
      "split": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 100
          }
        ]
      },
      "examples": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 10000
          }
        ]
      }
    },
    "required": [
      "source_dataset_id",
      "target_dataset_id"
    ]
  },
  "DatasetCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A dataset to which examples are added one by one.",
    "type": "object",
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1
      },
      "description": {
        "type": [
          "string",
          "null"
        ]
      },
      "data_type": {
        "enum": [
          "kv",
          "llm",
          "chat",
          null
        ]
      },
      "inputs_schema_definition": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "outputs_schema_definition": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "externally_managed": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "transformations": {
        "type": [
          "array",
          "null"
        ]
      },
      "id": {
        "type": [
          "string",
          "null"
        ],
        "description": "UUID. Generated by default."
      },
      "created_at": {
        "type": [
          "string",
          "null"
        ]
      },
      "extra": {
        "type": [
          "object",
          "null"
        ],
        "description": "Its `metadata` becomes the metadata of the dataset.",
        "additionalProperties": true
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      }
    },
    "required": [
      "name"
    ]
  },
  "DatasetExportQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A dataset as a file.",
    "type": "object",
    "properties": {
      "format": {
        "enum": [
          "jsonl",
          "csv"
        ],
        "default": "jsonl",
        "description": "jsonl is complete and can be imported. csv is flat, for spreadsheets."
      },
      "as_of": {
        "type": "string",
        "description": "A time or a tag. Default latest."
      }
    }
  },
  "DatasetFileQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A dataset as a file in one format.",
    "type": "object",
    "properties": {
      "as_of": {
        "type": "string",
        "description": "A time or a tag. Default latest."
      }
    }
  },
  "DatasetListV2Query": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Datasets to return, and their order.",
    "type": "object",
    "properties": {
      "id": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "name": {
        "type": "string"
      },
      "name_contains": {
        "type": "string"
      },
      "data_type": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "metadata": {
        "type": "object",
        "additionalProperties": true
      },
      "sort_by": {
        "type": "string",
        "enum": [
          "name",
          "created_at",
          "last_session_start_time",
          "example_count",
          "session_count",
          "modified_at"
        ]
      },
      "sort_order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ]
      },
      "cursor": {
        "type": "string",
        "description": "`next_cursor` of the previous page."
      },
      "page_size": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 100."
      }
    }
  },
  "DatasetListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Datasets to return, and their order.",
    "type": "object",
    "properties": {
      "id": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "name": {
        "type": "string"
      },
      "name_contains": {
        "type": "string"
      },
      "data_type": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "metadata": {
        "type": "object",
        "additionalProperties": true
      },
      "exclude": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "sort_by": {
        "type": "string",
        "enum": [
          "name",
          "created_at",
          "last_session_start_time",
          "example_count",
          "session_count",
          "modified_at"
        ]
      },
      "sort_by_desc": {
        "type": "boolean"
      },
      "offset": {
        "type": "integer",
        "description": "Number of rows to skip.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "Default 100.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "DatasetPatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Fields that are set are changed.",
    "type": "object",
    "properties": {
      "name": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1
      },
      "description": {
        "type": [
          "string",
          "null"
        ]
      },
      "inputs_schema_definition": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "outputs_schema_definition": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "transformations": {
        "type": [
          "array",
          "null"
        ]
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "baseline_experiment_id": {
        "type": [
          "string",
          "null"
        ],
        "description": "UUID, or null for none."
      }
    }
  },
  "DatasetShareQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "What the link shows.",
    "type": "object",
    "properties": {
      "share_projects": {
        "type": "boolean",
        "description": "The experiments of the dataset too. Default false."
      }
    }
  },
  "DatasetDiffQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "The first and the last version of the difference.",
    "type": "object",
    "properties": {
      "from_version": {
        "type": "string"
      },
      "to_version": {
        "type": "string"
      }
    },
    "required": [
      "from_version",
      "to_version"
    ]
  },
  "ExperimentRunsQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Examples of a dataset with their runs in experiments.",
    "type": "object",
    "properties": {
      "experiment_ids": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "minItems": 1,
        "maxItems": 50
      },
      "example_ids": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "maxItems": 1000
      },
      "selects": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "maxItems": 200,
        "description": "Fields of the runs in upper case, such as `INPUTS`. Default: only the id."
      },
      "filters": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "maxItems": 100
        },
        "description": "Filters of the runs, by the id of the experiment."
      },
      "sort": {
        "type": [
          "object",
          "null"
        ],
        "properties": {
          "by": {
            "type": [
              "string",
              "null"
            ]
          },
          "order": {
            "type": [
              "string",
              "null"
            ]
          }
        }
      },
      "comparative_experiment_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "cursor": {
        "type": [
          "string",
          "null"
        ],
        "description": "`next_cursor` of the previous page."
      },
      "page_size": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 100."
      }
    },
    "required": [
      "experiment_ids"
    ]
  },
  "DatasetSplitsPut": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Adds examples to a split, or removes them.",
    "type": "object",
    "properties": {
      "split_name": {
        "type": "string",
        "minLength": 1
      },
      "examples": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 10000
      },
      "remove": {
        "type": [
          "boolean",
          "null"
        ]
      }
    },
    "required": [
      "split_name",
      "examples"
    ]
  },
  "DatasetSplitsQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Time or version of the data.",
    "type": "object",
    "properties": {
      "as_of": {
        "type": "string",
        "description": "A time or a tag. Default latest."
      }
    }
  },
  "DatasetTagPut": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Tags a version. The tag is removed from any other version.",
    "type": "object",
    "properties": {
      "as_of": {
        "type": "string",
        "description": "Time of a version, or a tag."
      },
      "tag": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      }
    },
    "required": [
      "as_of",
      "tag"
    ]
  },
  "UploadExperiment": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "An experiment that was run elsewhere. Other fields are ignored.",
    "type": "object",
    "properties": {
      "experiment_name": {
        "type": "string",
        "description": "Unique among all experiments and projects.",
        "minLength": 1
      },
      "experiment_description": {
        "type": [
          "string",
          "null"
        ]
      },
      "experiment_start_time": {
        "type": "string",
        "description": "ISO 8601 with an offset, else UTC. Stored to the microsecond."
      },
      "experiment_end_time": {
        "type": "string",
        "description": "ISO 8601 with an offset, else UTC. Stored to the microsecond. Not before the start."
      },
      "dataset_id": {
        "type": [
          "string",
          "null"
        ],
        "description": "UUID. This or dataset_name is required."
      },
      "dataset_name": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1
      },
      "dataset_description": {
        "type": [
          "string",
          "null"
        ],
        "description": "Used if the dataset is created."
      },
      "experiment_metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "summary_experiment_scores": {
        "type": [
          "array",
          "null"
        ],
        "description": "Scores of the experiment as a whole: UploadedFeedback."
      },
      "results": {
        "type": "array",
        "description": "Rows: UploadedRow."
      }
    },
    "required": [
      "experiment_name",
      "experiment_start_time",
      "experiment_end_time",
      "results"
    ]
  },
  "UploadedRow": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "One example of the dataset and one run of the experiment.",
    "type": "object",
    "properties": {
      "row_id": {
        "type": "string",
        "description": "UUID of the example in its dataset. The same row_id in a later upload is the same example."
      },
      "inputs": {
        "type": "object",
        "additionalProperties": true
      },
      "expected_outputs": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "actual_outputs": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "attachments": {
        "type": [
          "object",
          "null"
        ],
        "description": "Attachments of the run by name: {mime_type, data}, with base64 data, as an export writes them.",
        "additionalProperties": true
      },
      "evaluation_scores": {
        "type": [
          "array",
          "null"
        ],
        "description": "Scores of the run: UploadedFeedback."
      },
      "start_time": {
        "type": "string",
        "description": "ISO 8601 with an offset, else UTC. Stored to the microsecond. Within the times of the experiment."
      },
      "end_time": {
        "type": "string",
        "description": "ISO 8601 with an offset, else UTC. Stored to the microsecond. Within the times of the experiment, not before the start."
      },
      "run_name": {
        "type": [
          "string",
          "null"
        ]
      },
      "error": {
        "type": [
          "string",
          "null"
        ]
      },
      "run_metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      }
    },
    "required": [
      "row_id",
      "inputs",
      "start_time",
      "end_time"
    ]
  },
  "DatasetVersionQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Exactly one of as_of and tag.",
    "type": "object",
    "properties": {
      "as_of": {
        "type": "string"
      },
      "tag": {
        "type": "string"
      }
    }
  },
  "DatasetVersionsQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Versions to return.",
    "type": "object",
    "properties": {
      "search": {
        "type": "string"
      },
      "example": {
        "type": "string"
      },
      "offset": {
        "type": "integer",
        "description": "Number of rows to skip.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "Default 100.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "ConversationAggregate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Statistics of conversations.",
    "type": "object",
    "properties": {
      "project_id": {
        "type": "string"
      },
      "select": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "minItems": 1,
        "maxItems": 200
      },
      "filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "trace_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "tree_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "thread_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "min_start_time": {
        "type": [
          "string",
          "null"
        ]
      },
      "max_start_time": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "project_id",
      "select"
    ]
  },
  "ConversationQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Conversations of a project.",
    "type": "object",
    "properties": {
      "project_id": {
        "type": "string"
      },
      "filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "trace_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "min_start_time": {
        "type": [
          "string",
          "null"
        ]
      },
      "max_start_time": {
        "type": [
          "string",
          "null"
        ]
      },
      "cursor": {
        "type": [
          "string",
          "null"
        ],
        "description": "`next_cursor` of the previous page."
      },
      "page_size": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 100."
      },
      "tree_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "thread_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "ai_search": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "project_id"
    ]
  },
  "ConversationStatsQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Statistics of a conversation.",
    "type": "object",
    "properties": {
      "session_id": {
        "type": "string"
      },
      "selects": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "filter": {
        "type": "string"
      }
    },
    "required": [
      "session_id",
      "selects"
    ]
  },
  "ConversationTraceListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Traces of a conversation.",
    "type": "object",
    "properties": {
      "project_id": {
        "type": "string"
      },
      "filter": {
        "type": "string"
      },
      "trace_filter": {
        "type": "string"
      },
      "selects": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "cursor": {
        "type": "string",
        "description": "`next_cursor` of the previous page."
      },
      "page_size": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 100."
      },
      "tree_filter": {
        "type": "string"
      }
    },
    "required": [
      "project_id"
    ]
  },
  "ExampleRunsQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Examples of a dataset, with their runs in experiments.",
    "type": "object",
    "properties": {
      "session_ids": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "minItems": 1,
        "maxItems": 100
      },
      "offset": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0
      },
      "limit": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000
      },
      "preview": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "comparative_experiment_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "sort_params": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "object",
            "properties": {
              "sort_by": {
                "type": "string"
              },
              "sort_order": {
                "enum": [
                  "ASC",
                  "DESC",
                  "asc",
                  "desc",
                  null
                ]
              }
            },
            "required": [
              "sort_by"
            ],
            "additionalProperties": true
          }
        ]
      },
      "filters": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "object",
            "additionalProperties": {
              "anyOf": [
                {
                  "type": "null"
                },
                {
                  "type": "array",
                  "items": {
                    "type": "string"
                  },
                  "maxItems": 20
                }
              ]
            }
          }
        ]
      },
      "example_ids": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 10000
          }
        ]
      }
    },
    "required": [
      "session_ids"
    ]
  },
  "PublicRunQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Runs to return. Default: all of the trace.",
    "type": "object",
    "properties": {
      "id": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "maxItems": 1000
      }
    }
  },
  "PublicSelectQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Fields to return.",
    "type": "object",
    "properties": {
      "selects": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 200,
        "$comment": "repeated"
      },
      "start_time": {
        "type": "string"
      }
    }
  },
  "RunExportQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "The runs of a project as JSON lines.",
    "type": "object",
    "properties": {
      "filter": {
        "type": "string",
        "description": "Only runs that match, in the filter language."
      },
      "trace_filter": {
        "type": "string",
        "description": "Only runs of traces whose root matches."
      },
      "tree_filter": {
        "type": "string",
        "description": "Only runs of traces that have a matching run."
      },
      "start_time": {
        "type": "string",
        "description": "Only runs that started then or later. ISO 8601."
      },
      "end_time": {
        "type": "string",
        "description": "Only runs that started then or before. ISO 8601."
      }
    }
  },
  "RunGetV2Query": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Project of the run, and the fields to return.",
    "type": "object",
    "properties": {
      "project_id": {
        "type": "string"
      },
      "selects": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "start_time": {
        "type": "string"
      }
    },
    "required": [
      "project_id"
    ]
  },
  "RunGroupQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Conversations of a project.",
    "type": "object",
    "properties": {
      "session_id": {
        "type": "string"
      },
      "group_by": {
        "enum": [
          "conversation"
        ]
      },
      "filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "start_time": {
        "type": [
          "string",
          "null"
        ]
      },
      "end_time": {
        "type": [
          "string",
          "null"
        ]
      },
      "offset": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0
      },
      "limit": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 10."
      }
    },
    "required": [
      "session_id",
      "group_by"
    ]
  },
  "RunImportQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Where imported runs are stored.",
    "type": "object",
    "properties": {
      "project": {
        "type": "string",
        "minLength": 1,
        "description": "Name of the project, in the place of the names in the lines."
      }
    }
  },
  "RunIngest": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "One run of a trace, complete or in part. Other fields are ignored.",
    "type": "object",
    "properties": {
      "id": {
        "type": [
          "string",
          "null"
        ]
      },
      "name": {
        "type": [
          "string",
          "null"
        ]
      },
      "run_type": {
        "type": [
          "string",
          "null"
        ]
      },
      "start_time": {
        "type": [
          "string",
          "number",
          "null"
        ],
        "description": "ISO 8601, or milliseconds since 1970."
      },
      "end_time": {
        "type": [
          "string",
          "number",
          "null"
        ]
      },
      "trace_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "parent_run_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "dotted_order": {
        "type": [
          "string",
          "null"
        ]
      },
      "session_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "session_name": {
        "type": [
          "string",
          "null"
        ]
      },
      "reference_example_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "error": {
        "type": [
          "string",
          "null"
        ]
      },
      "tags": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 1000
          }
        ]
      },
      "inputs": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "outputs": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "extra": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "events": {
        "type": [
          "array",
          "null"
        ]
      },
      "serialized": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      }
    }
  },
  "RunQueryV2": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Runs of projects, or of all experiments of a dataset.",
    "type": "object",
    "properties": {
      "project_ids": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "maxItems": 1000
      },
      "reference_dataset_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "ids": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "maxItems": 10000
      },
      "trace_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "is_root": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "has_error": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "run_type": {
        "type": [
          "string",
          "null"
        ]
      },
      "reference_examples": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "maxItems": 10000
      },
      "filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "trace_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "tree_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "min_start_time": {
        "type": [
          "string",
          "null"
        ]
      },
      "max_start_time": {
        "type": [
          "string",
          "null"
        ]
      },
      "selects": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "maxItems": 200,
        "description": "Fields of the runs in upper case, such as `INPUTS`. Default: only the id."
      },
      "sort_order": {
        "type": [
          "string",
          "null"
        ]
      },
      "cursor": {
        "type": [
          "string",
          "null"
        ],
        "description": "`next_cursor` of the previous page."
      },
      "page_size": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 100."
      },
      "ai_search": {
        "type": [
          "string",
          "null"
        ]
      },
      "min_feedback_modified_at": {
        "type": [
          "string",
          "null"
        ]
      },
      "max_feedback_modified_at": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "RunQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Runs of traces to return. If ids are given, other conditions are ignored.",
    "type": "object",
    "properties": {
      "id": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 10000
          },
          {
            "type": "string"
          }
        ]
      },
      "trace": {
        "type": [
          "string",
          "null"
        ]
      },
      "parent_run": {
        "type": [
          "string",
          "null"
        ]
      },
      "run_type": {
        "type": [
          "string",
          "null"
        ]
      },
      "session": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 1000
          },
          {
            "type": "string"
          }
        ]
      },
      "reference_example": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 10000
          },
          {
            "type": "string"
          }
        ]
      },
      "execution_order": {
        "type": [
          "integer",
          "null"
        ]
      },
      "start_time": {
        "type": [
          "string",
          "number",
          "null"
        ]
      },
      "end_time": {
        "type": [
          "string",
          "number",
          "null"
        ]
      },
      "error": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "query": {
        "type": [
          "string",
          "null"
        ]
      },
      "filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "trace_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "tree_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "is_root": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "select": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 200
          }
        ]
      },
      "order": {
        "enum": [
          "asc",
          "desc",
          null
        ]
      },
      "cursor": {
        "type": [
          "string",
          "null"
        ]
      },
      "limit": {
        "type": [
          "integer",
          "null"
        ],
        "description": "At most 100 per response.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "RunSeriesQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which runs are counted over time, and how.",
    "type": "object",
    "properties": {
      "session": {
        "description": "Ids of projects.",
        "type": "array",
        "items": {
          "type": "string"
        },
        "minItems": 1,
        "maxItems": 100
      },
      "start_time": {
        "type": "string"
      },
      "end_time": {
        "description": "Exclusive. Null: now.",
        "type": [
          "string",
          "null"
        ]
      },
      "interval_seconds": {
        "description": "Length of an interval. Null: one that makes at most 60 of them.",
        "type": [
          "integer",
          "null"
        ],
        "minimum": 60,
        "maximum": 31536000
      },
      "is_root": {
        "description": "Null: all runs.",
        "type": [
          "boolean",
          "null"
        ],
        "default": true
      },
      "filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "trace_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "tree_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "query": {
        "description": "A text in the name, inputs, outputs or error.",
        "type": [
          "string",
          "null"
        ]
      },
      "group_by": {
        "description": "A field of runs, or metadata.<key>. The most frequent values have series of their own.",
        "type": [
          "string",
          "null"
        ],
        "pattern": "^(name|run_type|status|model|metadata\\..{1,100})$"
      },
      "max_groups": {
        "type": "integer",
        "minimum": 1,
        "maximum": 50,
        "default": 10
      }
    },
    "required": [
      "session",
      "start_time"
    ]
  },
  "RunShare": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A share of a run.",
    "type": "object",
    "properties": {
      "share_token": {
        "type": [
          "string",
          "null"
        ],
        "format": "uuid",
        "description": "UUID in the link. Default: a random one."
      }
    }
  },
  "RunStatsQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Ids of the runs.",
    "type": "object",
    "properties": {
      "id": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 10000
          },
          {
            "type": "string"
          }
        ]
      },
      "trace": {
        "type": [
          "string",
          "null"
        ]
      },
      "parent_run": {
        "type": [
          "string",
          "null"
        ]
      },
      "run_type": {
        "type": [
          "string",
          "null"
        ]
      },
      "session": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 1000
          },
          {
            "type": "string"
          }
        ]
      },
      "reference_example": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 10000
          },
          {
            "type": "string"
          }
        ]
      },
      "execution_order": {
        "type": [
          "integer",
          "null"
        ]
      },
      "start_time": {
        "type": [
          "string",
          "number",
          "null"
        ]
      },
      "end_time": {
        "type": [
          "string",
          "number",
          "null"
        ]
      },
      "error": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "query": {
        "type": [
          "string",
          "null"
        ]
      },
      "filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "trace_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "tree_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "is_root": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "select": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 200
          }
        ]
      }
    }
  },
  "RunUrlQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Project and trace of the run.",
    "type": "object",
    "properties": {
      "project_id": {
        "type": "string"
      },
      "trace_id": {
        "type": "string"
      },
      "start_time": {
        "type": "string"
      }
    },
    "required": [
      "project_id"
    ]
  },
  "RunsDeltaQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Experiments to compare with a baseline, by one feedback key.",
    "type": "object",
    "properties": {
      "baseline_session_id": {
        "type": "string"
      },
      "comparison_session_ids": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 100
      },
      "feedback_key": {
        "type": "string"
      },
      "filters": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "object",
            "additionalProperties": true
          }
        ]
      },
      "offset": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0
      },
      "limit": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000
      }
    },
    "required": [
      "baseline_session_id",
      "comparison_session_ids",
      "feedback_key"
    ]
  },
  "TraceQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Traces of a project.",
    "type": "object",
    "properties": {
      "project_id": {
        "type": "string"
      },
      "trace_ids": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "maxItems": 10000
      },
      "trace_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "tree_filter": {
        "type": [
          "string",
          "null"
        ]
      },
      "min_start_time": {
        "type": [
          "string",
          "null"
        ]
      },
      "max_start_time": {
        "type": [
          "string",
          "null"
        ]
      },
      "selects": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "maxItems": 200,
        "description": "Fields of the root runs in upper case, such as `INPUTS`. Default: only the id."
      },
      "ai_search": {
        "type": [
          "string",
          "null"
        ]
      },
      "min_feedback_modified_at": {
        "type": [
          "string",
          "null"
        ]
      },
      "max_feedback_modified_at": {
        "type": [
          "string",
          "null"
        ]
      },
      "cursor": {
        "type": [
          "string",
          "null"
        ],
        "description": "`next_cursor` of the previous page."
      },
      "page_size": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 100."
      }
    },
    "required": [
      "project_id"
    ]
  },
  "TraceRunListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Runs of a trace.",
    "type": "object",
    "properties": {
      "project_id": {
        "type": "string"
      },
      "filter": {
        "type": "string"
      },
      "selects": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "min_start_time": {
        "type": "string"
      },
      "max_start_time": {
        "type": "string"
      }
    },
    "required": [
      "project_id"
    ]
  },
  "ExampleCountQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Selection of examples.",
    "type": "object",
    "properties": {
      "dataset": {
        "type": "string"
      },
      "id": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 10000,
        "$comment": "repeated"
      },
      "as_of": {
        "type": "string",
        "description": "A time or a tag. Default latest."
      },
      "splits": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "metadata": {
        "type": "object",
        "additionalProperties": true
      },
      "full_text_contains": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "filter": {
        "type": "string"
      }
    }
  },
  "ExampleDeleteQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Selection of examples.",
    "type": "object",
    "properties": {
      "example_ids": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 10000,
        "$comment": "repeated"
      }
    },
    "required": [
      "example_ids"
    ]
  },
  "ExampleHardDelete": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Examples to delete, and whether to delete their older versions too.",
    "type": "object",
    "properties": {
      "example_ids": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 10000
      },
      "hard_delete": {
        "type": [
          "boolean",
          "null"
        ]
      }
    },
    "required": [
      "example_ids"
    ]
  },
  "ExampleListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Examples to return, and their order.",
    "type": "object",
    "properties": {
      "dataset": {
        "type": "string"
      },
      "id": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 10000,
        "$comment": "repeated"
      },
      "as_of": {
        "type": "string",
        "description": "A time or a tag. Default latest."
      },
      "splits": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "metadata": {
        "type": "object",
        "additionalProperties": true
      },
      "full_text_contains": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "filter": {
        "type": "string"
      },
      "select": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "exclude_default_fields": {
        "type": "boolean",
        "description": "Only the fields in select, and the id."
      },
      "order": {
        "type": "string",
        "enum": [
          "recent",
          "random",
          "recently_created",
          "id"
        ]
      },
      "random_seed": {
        "type": "number"
      },
      "descending": {
        "type": "boolean"
      },
      "offset": {
        "type": "integer",
        "description": "Number of rows to skip.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "Default 100.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "ExampleMetadataPatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Operations on the metadata of examples, applied in order.",
    "type": "object",
    "properties": {
      "example_ids": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 10000
      },
      "operations": {
        "type": "array",
        "maxItems": 50,
        "items": {
          "type": "object",
          "properties": {
            "key": {
              "type": "string",
              "minLength": 1
            },
            "operation": {
              "type": "string",
              "description": "set, array_add or array_remove, ignoring case."
            },
            "value": {},
            "values": {
              "type": [
                "array",
                "null"
              ]
            }
          },
          "required": [
            "key",
            "operation"
          ],
          "additionalProperties": true
        }
      }
    },
    "required": [
      "example_ids",
      "operations"
    ]
  },
  "ExampleQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "One example.",
    "type": "object",
    "properties": {
      "as_of": {
        "type": "string",
        "description": "A time or a tag. Default latest."
      },
      "dataset": {
        "type": "string"
      }
    }
  },
  "ExampleWrite": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "An example, complete or in part. Null leaves a field unchanged.",
    "type": "object",
    "properties": {
      "id": {
        "type": [
          "string",
          "null"
        ]
      },
      "dataset_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "inputs": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "outputs": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "split": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 100
          }
        ]
      },
      "source_run_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "created_at": {
        "type": [
          "string",
          "number",
          "null"
        ]
      },
      "use_source_run_io": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "use_source_run_attachments": {
        "description": "Names of the attachments of the source run to copy.",
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        }
      },
      "attachments": {
        "description": "By name: {mime_type, data}, with base64 data, as an export writes them.",
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "attachments_operations": {
        "description": "In a change: the attachments to keep, under their names or under new ones. Without it, all are kept.",
        "type": [
          "object",
          "null"
        ],
        "properties": {
          "retain": {
            "type": [
              "array",
              "null"
            ],
            "items": {
              "type": "string"
            }
          },
          "rename": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": {
              "type": "string"
            }
          }
        }
      },
      "name": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "ExamplesFromRuns": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Runs of traces to add to a dataset: named ones, those of threads, or those that a filter finds.",
    "type": "object",
    "properties": {
      "runs": {
        "type": [
          "array",
          "null"
        ],
        "minItems": 1,
        "maxItems": 1000,
        "description": "Ids of runs or of their steps, or objects with an id and edited inputs or outputs.",
        "items": {
          "anyOf": [
            {
              "type": "string",
              "maxLength": 64
            },
            {
              "type": "object",
              "properties": {
                "id": {
                  "type": "string",
                  "maxLength": 64
                },
                "inputs": {
                  "type": [
                    "object",
                    "null"
                  ],
                  "additionalProperties": true,
                  "description": "Instead of the inputs of the run. Null: those of the run."
                },
                "outputs": {
                  "type": [
                    "object",
                    "null"
                  ],
                  "additionalProperties": true,
                  "description": "Instead of the outputs of the run. Null: no expected outputs. Left out: those of the run."
                }
              },
              "required": [
                "id"
              ],
              "additionalProperties": false
            }
          ]
        }
      },
      "threads": {
        "type": [
          "array",
          "null"
        ],
        "minItems": 1,
        "maxItems": 100,
        "items": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        },
        "description": "Ids of threads: all their runs."
      },
      "session": {
        "type": [
          "array",
          "null"
        ],
        "minItems": 1,
        "maxItems": 100,
        "items": {
          "type": "string",
          "maxLength": 64
        },
        "description": "Ids of the projects to search. Default: the projects of all assistants."
      },
      "filter": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 65536,
        "description": "Only runs that match, in the filter language of runs."
      },
      "is_root": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "False: steps instead of whole runs. Default true."
      },
      "limit": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000,
        "description": "The newest of the runs that are found. Default 100."
      },
      "inputs_path": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 1024,
        "description": "The part of the inputs to take, such as messages.-1.content. Default: all."
      },
      "outputs_path": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 1024,
        "description": "The part of the outputs to take. Default: all."
      },
      "split": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 100
          }
        ]
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Metadata of each example, beside where it comes from."
      },
      "allow_duplicates": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Also add runs that were added to this dataset before. Default false."
      }
    },
    "additionalProperties": false
  },
  "PublicExampleListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Examples to return.",
    "type": "object",
    "properties": {
      "id": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "offset": {
        "type": "integer",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 100."
      }
    }
  },
  "ExperimentStart": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "An experiment for the server to run.",
    "type": "object",
    "properties": {
      "dataset": {
        "type": "string",
        "minLength": 1,
        "maxLength": 1024,
        "description": "Name or id of the dataset."
      },
      "assistant_id": {
        "type": "string",
        "minLength": 1,
        "description": "Id of an assistant, or the name of a graph."
      },
      "name": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 1024,
        "description": "Name of the experiment. Default: the name of the assistant and a few characters."
      },
      "description": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 65536
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Metadata of the experiment, such as the commit of the code."
      },
      "evaluators": {
        "type": "array",
        "maxItems": 100,
        "description": "Names of evaluators of langgraph.json and of built-in ones.",
        "items": {
          "anyOf": [
            {
              "type": "string",
              "minLength": 1,
              "maxLength": 256
            },
            {
              "type": "object",
              "properties": {
                "name": {
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 256
                },
                "key": {
                  "type": [
                    "string",
                    "null"
                  ],
                  "minLength": 1,
                  "maxLength": 256,
                  "description": "Name of the score. Default: as the evaluator names it."
                },
                "path": {
                  "type": [
                    "string",
                    "null"
                  ],
                  "maxLength": 1024,
                  "description": "Place in the outputs that a built-in evaluator looks at, such as messages.-1.content. Default: all of them."
                },
                "reference_path": {
                  "type": [
                    "string",
                    "null"
                  ],
                  "maxLength": 1024,
                  "description": "Place in the reference outputs. Default: all of them."
                },
                "text": {
                  "type": [
                    "string",
                    "null"
                  ],
                  "maxLength": 65536,
                  "description": "Of contains: the text to find. Default: the reference."
                },
                "pattern": {
                  "type": [
                    "string",
                    "null"
                  ],
                  "maxLength": 4096,
                  "description": "Of regex_match: a regular expression of JavaScript."
                },
                "tolerance": {
                  "type": [
                    "number",
                    "null"
                  ],
                  "minimum": 0,
                  "description": "Of numeric_match: largest difference that counts as equal. Default 0."
                },
                "schema": {
                  "type": [
                    "object",
                    "null"
                  ],
                  "description": "Of json_schema: the JSON Schema (draft 2020-12) that the outputs must match."
                },
                "max": {
                  "type": [
                    "number",
                    "null"
                  ],
                  "minimum": 0,
                  "description": "Of latency, in seconds, and of cost, in US dollars: the most that is good."
                },
                "ignore_case": {
                  "type": [
                    "boolean",
                    "null"
                  ]
                }
              },
              "required": [
                "name"
              ],
              "additionalProperties": false
            }
          ]
        }
      },
      "splits": {
        "type": [
          "array",
          "null"
        ],
        "maxItems": 1000,
        "items": {
          "type": "string"
        },
        "description": "Only examples of these splits. Default: all."
      },
      "repetitions": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000,
        "description": "How often each example runs. Default 1."
      },
      "max_concurrency": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 50,
        "description": "Runs at the same time. Default 4."
      },
      "config": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Configuration of each run."
      },
      "context": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Context of each run."
      }
    },
    "required": [
      "dataset",
      "assistant_id"
    ],
    "additionalProperties": false
  },
  "PublicSessionListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Page of experiments.",
    "type": "object",
    "properties": {
      "offset": {
        "type": "integer",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 100."
      }
    }
  },
  "SessionCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "An experiment on a dataset, or a project of traces.",
    "type": "object",
    "properties": {
      "name": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1
      },
      "description": {
        "type": [
          "string",
          "null"
        ]
      },
      "extra": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "id": {
        "type": [
          "string",
          "null"
        ]
      },
      "start_time": {
        "type": [
          "string",
          "null"
        ]
      },
      "end_time": {
        "type": [
          "string",
          "null"
        ]
      },
      "default_dataset_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "reference_dataset_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "trace_tier": {
        "enum": [
          "longlived",
          "shortlived",
          null
        ]
      },
      "num_examples": {
        "type": [
          "integer",
          "null"
        ]
      },
      "num_repetitions": {
        "type": [
          "integer",
          "null"
        ]
      },
      "evaluator_keys": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 1000
          }
        ]
      }
    }
  },
  "SessionDeleteQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Selection of experiments.",
    "type": "object",
    "properties": {
      "session_ids": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      }
    },
    "required": [
      "session_ids"
    ]
  },
  "SessionExportQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "An experiment as a file.",
    "type": "object",
    "properties": {
      "format": {
        "enum": [
          "jsonl",
          "csv"
        ],
        "default": "jsonl",
        "description": "jsonl is complete and can be imported. csv is flat, for spreadsheets."
      }
    }
  },
  "SessionListV2Query": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Experiments and projects to return, and their order.",
    "type": "object",
    "properties": {
      "id": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "name": {
        "type": "string"
      },
      "name_contains": {
        "type": "string"
      },
      "reference_dataset_id": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "metadata": {
        "type": "object",
        "additionalProperties": true
      },
      "dataset_version": {
        "type": "string"
      },
      "type": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "include_stats": {
        "type": "boolean"
      },
      "sort_by": {
        "type": "string",
        "enum": [
          "NAME",
          "START_TIME",
          "LAST_RUN_START_TIME",
          "ERROR_RATE",
          "LATENCY_P50",
          "LATENCY_P99",
          "FEEDBACK"
        ]
      },
      "sort_by_feedback_key": {
        "type": "string"
      },
      "sort_by_feedback_source": {
        "type": "string",
        "enum": [
          "RUN",
          "SESSION"
        ]
      },
      "sort_order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ]
      },
      "cursor": {
        "type": "string",
        "description": "`next_cursor` of the previous page."
      },
      "page_size": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 100."
      }
    }
  },
  "SessionListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Experiments and projects to return, and their order.",
    "type": "object",
    "properties": {
      "name": {
        "type": "string"
      },
      "name_contains": {
        "type": "string"
      },
      "id": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "reference_dataset": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "reference_free": {
        "type": "boolean"
      },
      "metadata": {
        "type": "object",
        "description": "The metadata must contain this.",
        "additionalProperties": true
      },
      "include_stats": {
        "type": "boolean",
        "description": "false omits all statistics except run_count."
      },
      "dataset_version": {
        "type": "string"
      },
      "sort_by": {
        "type": "string",
        "enum": [
          "name",
          "start_time",
          "last_run_start_time",
          "latency_p50",
          "latency_p99",
          "error_rate",
          "feedback"
        ]
      },
      "sort_by_desc": {
        "type": "boolean"
      },
      "sort_by_feedback_key": {
        "type": "string"
      },
      "sort_by_feedback_source": {
        "type": "string",
        "enum": [
          "session",
          "run"
        ]
      },
      "offset": {
        "type": "integer",
        "description": "Number of rows to skip.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "Default 100.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "SessionMetadataQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Metadata to return.",
    "type": "object",
    "properties": {
      "metadata_keys": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "k": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100
      },
      "root_runs_only": {
        "type": "boolean"
      },
      "start_time": {
        "type": "string"
      }
    }
  },
  "SessionPatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Fields that are set and not null are changed.",
    "type": "object",
    "properties": {
      "name": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1
      },
      "description": {
        "type": [
          "string",
          "null"
        ]
      },
      "extra": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "end_time": {
        "type": [
          "string",
          "null"
        ]
      },
      "default_dataset_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "trace_tier": {
        "enum": [
          "longlived",
          "shortlived",
          null
        ]
      },
      "num_examples": {
        "type": [
          "integer",
          "null"
        ]
      },
      "num_repetitions": {
        "type": [
          "integer",
          "null"
        ]
      },
      "evaluator_keys": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 1000
          }
        ]
      }
    }
  },
  "SessionQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "One experiment.",
    "type": "object",
    "properties": {
      "include_stats": {
        "type": "boolean",
        "description": "false omits all statistics except run_count."
      }
    }
  },
  "SessionResolveQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Address of an experiment.",
    "type": "object",
    "properties": {
      "kind": {
        "type": "string"
      },
      "id": {
        "type": "string"
      },
      "environment": {
        "type": "string"
      }
    },
    "required": [
      "kind"
    ]
  },
  "SessionCreateQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "What to do if the name is taken.",
    "type": "object",
    "properties": {
      "upsert": {
        "type": "boolean",
        "description": "Return the existing record with this name."
      }
    }
  },
  "FeedbackConfigCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "How scores of a feedback key are displayed and compared.",
    "type": "object",
    "properties": {
      "feedback_key": {
        "type": "string",
        "minLength": 1,
        "maxLength": 180
      },
      "feedback_config": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "object",
            "properties": {
              "type": {
                "enum": [
                  "continuous",
                  "categorical",
                  "freeform",
                  null
                ]
              },
              "min": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "max": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "categories": {
                "anyOf": [
                  {
                    "type": "null"
                  },
                  {
                    "type": "array",
                    "maxItems": 1000,
                    "items": {
                      "type": "object",
                      "properties": {
                        "value": {
                          "type": "number"
                        },
                        "label": {
                          "type": [
                            "string",
                            "null"
                          ]
                        }
                      },
                      "required": [
                        "value"
                      ],
                      "additionalProperties": true
                    }
                  }
                ]
              }
            },
            "additionalProperties": true
          }
        ]
      },
      "is_lower_score_better": {
        "type": [
          "boolean",
          "null"
        ]
      }
    },
    "required": [
      "feedback_key",
      "feedback_config"
    ]
  },
  "FeedbackConfigDeleteQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Key of a configuration.",
    "type": "object",
    "properties": {
      "feedback_key": {
        "type": "string"
      }
    },
    "required": [
      "feedback_key"
    ]
  },
  "FeedbackConfigListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Configurations to return.",
    "type": "object",
    "properties": {
      "key": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "name_contains": {
        "type": "string"
      },
      "offset": {
        "type": "integer",
        "description": "Number of rows to skip.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "Default 100.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "FeedbackConfigPatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Fields that are set are changed.",
    "type": "object",
    "properties": {
      "feedback_key": {
        "type": "string",
        "minLength": 1,
        "maxLength": 180
      },
      "feedback_config": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "object",
            "properties": {
              "type": {
                "enum": [
                  "continuous",
                  "categorical",
                  "freeform",
                  null
                ]
              },
              "min": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "max": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "categories": {
                "anyOf": [
                  {
                    "type": "null"
                  },
                  {
                    "type": "array",
                    "maxItems": 1000,
                    "items": {
                      "type": "object",
                      "properties": {
                        "value": {
                          "type": "number"
                        },
                        "label": {
                          "type": [
                            "string",
                            "null"
                          ]
                        }
                      },
                      "required": [
                        "value"
                      ],
                      "additionalProperties": true
                    }
                  }
                ]
              }
            },
            "additionalProperties": true
          }
        ]
      },
      "is_lower_score_better": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "add_categories": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "maxItems": 1000,
            "items": {
              "type": "object",
              "properties": {
                "value": {
                  "type": "number"
                },
                "label": {
                  "type": [
                    "string",
                    "null"
                  ]
                }
              },
              "required": [
                "value"
              ],
              "additionalProperties": true
            }
          }
        ],
        "description": "Categories to add to the existing ones."
      },
      "remove_categories": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "maxItems": 1000,
            "items": {
              "type": "number"
            }
          }
        ],
        "description": "Values of categories to remove."
      }
    },
    "required": [
      "feedback_key"
    ]
  },
  "FeedbackCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A score or comment on a run or an experiment.",
    "type": "object",
    "properties": {
      "key": {
        "type": "string",
        "minLength": 1,
        "maxLength": 180
      },
      "score": {
        "type": [
          "number",
          "boolean",
          "null"
        ]
      },
      "value": {
        "type": [
          "number",
          "boolean",
          "string",
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "comment": {
        "type": [
          "string",
          "null"
        ]
      },
      "correction": {
        "type": [
          "object",
          "string",
          "null"
        ],
        "additionalProperties": true
      },
      "feedback_source": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "object",
            "properties": {
              "type": {
                "type": "string"
              },
              "metadata": {
                "type": [
                  "object",
                  "null"
                ],
                "additionalProperties": true
              }
            },
            "required": [
              "type"
            ],
            "additionalProperties": true
          }
        ]
      },
      "feedback_config": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "object",
            "properties": {
              "type": {
                "enum": [
                  "continuous",
                  "categorical",
                  "freeform",
                  null
                ]
              },
              "min": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "max": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "categories": {
                "anyOf": [
                  {
                    "type": "null"
                  },
                  {
                    "type": "array",
                    "maxItems": 1000,
                    "items": {
                      "type": "object",
                      "properties": {
                        "value": {
                          "type": "number"
                        },
                        "label": {
                          "type": [
                            "string",
                            "null"
                          ]
                        }
                      },
                      "required": [
                        "value"
                      ],
                      "additionalProperties": true
                    }
                  }
                ]
              }
            },
            "additionalProperties": true
          }
        ]
      },
      "id": {
        "type": [
          "string",
          "null"
        ],
        "description": "UUID."
      },
      "created_at": {
        "type": [
          "string",
          "null"
        ],
        "description": "ISO 8601 with an offset, else UTC. Stored to the microsecond."
      },
      "modified_at": {
        "type": [
          "string",
          "null"
        ],
        "description": "ISO 8601 with an offset, else UTC. Stored to the microsecond."
      },
      "feedback_group_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "comparative_experiment_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "extra": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "run_id": {
        "type": [
          "string",
          "null"
        ],
        "description": "UUID. Without it the feedback belongs to the experiment."
      },
      "session_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "trace_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "project_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "feedbackConfig": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "object",
            "properties": {
              "type": {
                "enum": [
                  "continuous",
                  "categorical",
                  "freeform",
                  null
                ]
              },
              "min": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "max": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "categories": {
                "anyOf": [
                  {
                    "type": "null"
                  },
                  {
                    "type": "array",
                    "maxItems": 1000,
                    "items": {
                      "type": "object",
                      "properties": {
                        "value": {
                          "type": "number"
                        },
                        "label": {
                          "type": [
                            "string",
                            "null"
                          ]
                        }
                      },
                      "required": [
                        "value"
                      ],
                      "additionalProperties": true
                    }
                  }
                ]
              }
            },
            "additionalProperties": true
          }
        ]
      },
      "error": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "extend_trace_retention": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "feedback_config_id": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "key"
    ]
  },
  "FeedbackGivenQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Feedback given by opening a feedback address.",
    "type": "object",
    "properties": {
      "score": {
        "type": [
          "number",
          "boolean"
        ]
      },
      "value": {
        "type": "string"
      },
      "comment": {
        "type": "string"
      },
      "correction": {
        "type": "string"
      }
    }
  },
  "FeedbackGiven": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Feedback given at a feedback address, which determines run and key.",
    "type": "object",
    "properties": {
      "score": {
        "type": [
          "number",
          "boolean",
          "null"
        ]
      },
      "value": {
        "type": [
          "number",
          "boolean",
          "string",
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "comment": {
        "type": [
          "string",
          "null"
        ]
      },
      "correction": {
        "type": [
          "object",
          "string",
          "null"
        ],
        "additionalProperties": true
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Stored as metadata of the feedback source."
      }
    }
  },
  "FeedbackListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Feedback to return, newest first.",
    "type": "object",
    "properties": {
      "run": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 10000,
        "$comment": "repeated"
      },
      "session": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "key": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "source": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "level": {
        "type": "string",
        "enum": [
          "run",
          "session"
        ]
      },
      "has_comment": {
        "type": "boolean"
      },
      "has_score": {
        "type": "boolean"
      },
      "min_created_at": {
        "type": "string"
      },
      "max_created_at": {
        "type": "string"
      },
      "comparative_experiment_id": {
        "type": "string"
      },
      "offset": {
        "type": "integer",
        "description": "Number of rows to skip.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "Default 100.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "FeedbackPatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Fields that are set are changed. Null clears a field.",
    "type": "object",
    "properties": {
      "score": {
        "type": [
          "number",
          "boolean",
          "null"
        ]
      },
      "value": {
        "type": [
          "number",
          "boolean",
          "string",
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "comment": {
        "type": [
          "string",
          "null"
        ]
      },
      "correction": {
        "type": [
          "object",
          "string",
          "null"
        ],
        "additionalProperties": true
      },
      "feedback_config": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "object",
            "properties": {
              "type": {
                "enum": [
                  "continuous",
                  "categorical",
                  "freeform",
                  null
                ]
              },
              "min": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "max": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "categories": {
                "anyOf": [
                  {
                    "type": "null"
                  },
                  {
                    "type": "array",
                    "maxItems": 1000,
                    "items": {
                      "type": "object",
                      "properties": {
                        "value": {
                          "type": "number"
                        },
                        "label": {
                          "type": [
                            "string",
                            "null"
                          ]
                        }
                      },
                      "required": [
                        "value"
                      ],
                      "additionalProperties": true
                    }
                  }
                ]
              }
            },
            "additionalProperties": true
          }
        ]
      },
      "feedbackConfig": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "object",
            "properties": {
              "type": {
                "enum": [
                  "continuous",
                  "categorical",
                  "freeform",
                  null
                ]
              },
              "min": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "max": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "categories": {
                "anyOf": [
                  {
                    "type": "null"
                  },
                  {
                    "type": "array",
                    "maxItems": 1000,
                    "items": {
                      "type": "object",
                      "properties": {
                        "value": {
                          "type": "number"
                        },
                        "label": {
                          "type": [
                            "string",
                            "null"
                          ]
                        }
                      },
                      "required": [
                        "value"
                      ],
                      "additionalProperties": true
                    }
                  }
                ]
              }
            },
            "additionalProperties": true
          }
        ]
      }
    }
  },
  "FeedbackTokenCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "An address that accepts feedback on a run without an API key.",
    "type": "object",
    "properties": {
      "run_id": {
        "type": "string",
        "description": "UUID of a run of a trace, or of a graph."
      },
      "feedback_key": {
        "type": "string",
        "minLength": 1,
        "maxLength": 180
      },
      "id": {
        "type": [
          "string",
          "null"
        ],
        "description": "UUID of the new feedback. Default derived from run and key."
      },
      "expires_in": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "object",
            "properties": {
              "days": {
                "type": [
                  "number",
                  "null"
                ],
                "minimum": 0,
                "maximum": 1000000
              },
              "hours": {
                "type": [
                  "number",
                  "null"
                ],
                "minimum": 0,
                "maximum": 1000000
              },
              "minutes": {
                "type": [
                  "number",
                  "null"
                ],
                "minimum": 0,
                "maximum": 1000000
              }
            },
            "additionalProperties": true
          }
        ],
        "description": "Default three hours, if expires_at is not set either."
      },
      "expires_at": {
        "type": [
          "string",
          "null"
        ],
        "description": "ISO 8601. Takes precedence over expires_in."
      },
      "feedback_config": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "object",
            "properties": {
              "type": {
                "enum": [
                  "continuous",
                  "categorical",
                  "freeform",
                  null
                ]
              },
              "min": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "max": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "categories": {
                "anyOf": [
                  {
                    "type": "null"
                  },
                  {
                    "type": "array",
                    "maxItems": 1000,
                    "items": {
                      "type": "object",
                      "properties": {
                        "value": {
                          "type": "number"
                        },
                        "label": {
                          "type": [
                            "string",
                            "null"
                          ]
                        }
                      },
                      "required": [
                        "value"
                      ],
                      "additionalProperties": true
                    }
                  }
                ]
              }
            },
            "additionalProperties": true
          }
        ]
      }
    },
    "required": [
      "run_id",
      "feedback_key"
    ],
    "additionalProperties": true
  },
  "FeedbackTokenListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Feedback addresses of a run that have not expired, the latest expiry first.",
    "type": "object",
    "properties": {
      "run_id": {
        "type": "string"
      },
      "offset": {
        "type": "integer",
        "description": "Number of rows to skip.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "Default 100.",
        "minimum": 1,
        "maximum": 10000
      }
    },
    "required": [
      "run_id"
    ]
  },
  "FeedbackTokenParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter.",
    "type": "object",
    "properties": {
      "token": {
        "type": "string"
      }
    },
    "required": [
      "token"
    ]
  },
  "FeedbackTokensCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "One address, or several.",
    "type": [
      "object",
      "array"
    ],
    "items": {
      "type": "object",
      "additionalProperties": true
    },
    "minItems": 1,
    "maxItems": 100
  },
  "UploadedFeedback": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A score in an upload.",
    "type": "object",
    "properties": {
      "key": {
        "type": "string",
        "minLength": 1,
        "maxLength": 180
      },
      "score": {
        "type": [
          "number",
          "boolean",
          "null"
        ]
      },
      "value": {
        "type": [
          "number",
          "boolean",
          "string",
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "comment": {
        "type": [
          "string",
          "null"
        ]
      },
      "correction": {
        "type": [
          "object",
          "string",
          "null"
        ],
        "additionalProperties": true
      },
      "feedback_source": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "object",
            "properties": {
              "type": {
                "type": "string"
              },
              "metadata": {
                "type": [
                  "object",
                  "null"
                ],
                "additionalProperties": true
              }
            },
            "required": [
              "type"
            ],
            "additionalProperties": true
          }
        ]
      },
      "feedback_config": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "object",
            "properties": {
              "type": {
                "enum": [
                  "continuous",
                  "categorical",
                  "freeform",
                  null
                ]
              },
              "min": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "max": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "categories": {
                "anyOf": [
                  {
                    "type": "null"
                  },
                  {
                    "type": "array",
                    "maxItems": 1000,
                    "items": {
                      "type": "object",
                      "properties": {
                        "value": {
                          "type": "number"
                        },
                        "label": {
                          "type": [
                            "string",
                            "null"
                          ]
                        }
                      },
                      "required": [
                        "value"
                      ],
                      "additionalProperties": true
                    }
                  }
                ]
              }
            },
            "additionalProperties": true
          }
        ]
      },
      "id": {
        "type": [
          "string",
          "null"
        ],
        "description": "UUID."
      },
      "created_at": {
        "type": [
          "string",
          "null"
        ],
        "description": "ISO 8601 with an offset, else UTC. Stored to the microsecond."
      },
      "modified_at": {
        "type": [
          "string",
          "null"
        ],
        "description": "ISO 8601 with an offset, else UTC. Stored to the microsecond."
      },
      "feedback_group_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "comparative_experiment_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "extra": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      }
    },
    "required": [
      "key"
    ]
  },
  "AnnotationQueueCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "An annotation queue.",
    "type": "object",
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1
      },
      "id": {
        "type": [
          "string",
          "null"
        ]
      },
      "created_at": {
        "type": [
          "string",
          "null"
        ]
      },
      "description": {
        "type": [
          "string",
          "null"
        ]
      },
      "rubric_instructions": {
        "type": [
          "string",
          "null"
        ]
      },
      "rubric_items": {
        "type": [
          "array",
          "null"
        ],
        "maxItems": 100,
        "items": {
          "type": "object",
          "properties": {
            "feedback_key": {
              "type": "string",
              "minLength": 1,
              "maxLength": 180
            },
            "description": {
              "type": [
                "string",
                "null"
              ]
            },
            "is_required": {
              "type": [
                "boolean",
                "null"
              ]
            }
          },
          "required": [
            "feedback_key"
          ],
          "additionalProperties": true
        }
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "default_dataset": {
        "type": [
          "string",
          "null"
        ]
      },
      "num_reviewers_per_item": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 100,
        "description": "Default 1."
      },
      "enable_reservations": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "reservation_minutes": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "description": "Default 60."
      },
      "reviewer_access_mode": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "name"
    ]
  },
  "QueueItemStatus": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Review of an item by the caller.",
    "type": "object",
    "properties": {
      "status": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "viewed",
          "completed",
          null
        ]
      },
      "override_added_at": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "QueueItemsAdd": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Items to add to a queue.",
    "type": "object",
    "properties": {
      "items": {
        "type": "array",
        "maxItems": 1000,
        "items": {
          "type": "object",
          "properties": {
            "item_type": {
              "type": [
                "string",
                "null"
              ]
            },
            "run_id": {
              "type": [
                "string",
                "null"
              ]
            },
            "thread_id": {
              "type": [
                "string",
                "null"
              ]
            }
          },
          "additionalProperties": true
        }
      }
    },
    "required": [
      "items"
    ]
  },
  "QueueItemsCountQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Items to count.",
    "type": "object",
    "properties": {
      "status": {
        "type": "string",
        "enum": [
          "all",
          "needs_my_review",
          "needs_others_review",
          "archived"
        ]
      },
      "start_time": {
        "type": "string"
      },
      "end_time": {
        "type": "string"
      },
      "min_start_time": {
        "type": "string"
      },
      "max_start_time": {
        "type": "string"
      }
    },
    "required": [
      "status"
    ]
  },
  "QueueItemsDelete": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Items to remove from a queue.",
    "type": "object",
    "properties": {
      "item_ids": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000
      }
    },
    "required": [
      "item_ids"
    ]
  },
  "QueueItemsQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Section of a queue for the caller.",
    "type": "object",
    "properties": {
      "status": {
        "type": "string",
        "enum": [
          "needs_my_review",
          "needs_others_review",
          "archived"
        ]
      },
      "item_type": {
        "type": "string",
        "enum": [
          "RUN",
          "THREAD"
        ]
      },
      "direction": {
        "type": "string",
        "enum": [
          "forward",
          "backward"
        ]
      },
      "min_start_time": {
        "type": "string"
      },
      "max_start_time": {
        "type": "string"
      },
      "cursor": {
        "type": "string",
        "description": "`next_cursor` of the previous page, or `cursor` of a placement."
      },
      "page_size": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 100."
      }
    },
    "required": [
      "status"
    ]
  },
  "AnnotationQueueListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Queues to return.",
    "type": "object",
    "properties": {
      "ids": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 1000,
        "$comment": "repeated"
      },
      "name": {
        "type": "string"
      },
      "name_contains": {
        "type": "string"
      },
      "offset": {
        "type": "integer",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 100."
      },
      "queue_type": {
        "type": "string"
      },
      "dataset_id": {
        "type": "string"
      },
      "assigned_to_me": {
        "type": "boolean"
      },
      "tag_value_id": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "maxItems": 100,
        "$comment": "repeated"
      },
      "sort_by": {
        "type": "string",
        "enum": [
          "name",
          "created_at",
          "updated_at"
        ],
        "description": "Default `created_at`."
      },
      "sort_by_desc": {
        "type": "boolean",
        "description": "Default true."
      }
    }
  },
  "AnnotationQueuePatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Fields that are set are changed.",
    "type": "object",
    "properties": {
      "name": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1
      },
      "description": {
        "type": [
          "string",
          "null"
        ]
      },
      "rubric_instructions": {
        "type": [
          "string",
          "null"
        ]
      },
      "rubric_items": {
        "type": [
          "array",
          "null"
        ],
        "maxItems": 100,
        "items": {
          "type": "object",
          "properties": {
            "feedback_key": {
              "type": "string",
              "minLength": 1,
              "maxLength": 180
            },
            "description": {
              "type": [
                "string",
                "null"
              ]
            },
            "is_required": {
              "type": [
                "boolean",
                "null"
              ]
            }
          },
          "required": [
            "feedback_key"
          ],
          "additionalProperties": true
        }
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "default_dataset": {
        "type": [
          "string",
          "null"
        ]
      },
      "num_reviewers_per_item": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 100,
        "description": "Default 1."
      },
      "enable_reservations": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "reservation_minutes": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "description": "Default 60."
      },
      "reviewer_access_mode": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "QueuePopulate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Experiments whose root runs are added to a queue.",
    "type": "object",
    "properties": {
      "queue_id": {
        "type": "string"
      },
      "session_ids": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "minItems": 1,
        "maxItems": 100
      }
    },
    "required": [
      "queue_id",
      "session_ids"
    ]
  },
  "QueueRunAdd": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Ids of runs, or objects with `run_id`.",
    "type": "array",
    "maxItems": 1000,
    "items": {
      "type": [
        "string",
        "object"
      ],
      "properties": {
        "run_id": {
          "type": "string"
        }
      },
      "required": [
        "run_id"
      ],
      "additionalProperties": true
    }
  },
  "QueueRunDelete": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Runs to remove from the queue.",
    "type": "object",
    "properties": {
      "run_ids": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "maxItems": 1000
      },
      "delete_all": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "exclude_run_ids": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "maxItems": 1000
      }
    }
  },
  "QueueRunListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Runs to return.",
    "type": "object",
    "properties": {
      "status": {
        "type": "string",
        "enum": [
          "needs_my_review",
          "needs_others_review",
          "completed"
        ]
      },
      "archived": {
        "type": "boolean"
      },
      "offset": {
        "type": "integer",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 100."
      }
    }
  },
  "QueueRunPatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Place and review of a run in the queue.",
    "type": "object",
    "properties": {
      "added_at": {
        "type": [
          "string",
          "null"
        ]
      },
      "last_reviewed_time": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "QueueRunStatus": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Review of a run in the queue.",
    "type": "object",
    "properties": {
      "status": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "needs_review",
          "viewed",
          "completed",
          "archived",
          null
        ]
      },
      "override_added_at": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "QueueSizeQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Runs to count.",
    "type": "object",
    "properties": {
      "status": {
        "type": "string",
        "enum": [
          "needs_my_review",
          "needs_others_review",
          "completed"
        ]
      },
      "start_time": {
        "type": "string"
      },
      "end_time": {
        "type": "string"
      }
    }
  },
  "RuleCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A rule that acts on runs of traces.",
    "type": "object",
    "properties": {
      "display_name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 1024,
        "description": "Name of the rule."
      },
      "is_enabled": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Default true."
      },
      "session_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "format": "uuid",
        "description": "Id of the project whose runs the rule looks at. Null: the projects of all assistants."
      },
      "trigger": {
        "type": "string",
        "enum": [
          "end",
          "feedback"
        ],
        "description": "When the rule looks at a run: when it has ended, or when it has ended and has feedback. Default end."
      },
      "filter": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 65536,
        "description": "Only runs that match, in the filter language of runs."
      },
      "trace_filter": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 65536,
        "description": "Only runs whose root matches."
      },
      "tree_filter": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 65536,
        "description": "Only runs of traces in which any step matches."
      },
      "sampling_rate": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0,
        "maximum": 1,
        "description": "Share of the runs, from 0 to 1. Default 1."
      },
      "runs_per_hour": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000000,
        "description": "Most runs on which the rule acts in an hour. Default 1000."
      },
      "add_to_dataset_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "format": "uuid",
        "description": "Id of the dataset that gets the runs."
      },
      "add_to_dataset_prefer_correction": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "The newest correction of a feedback replaces the outputs. Default false."
      },
      "dataset_inputs_path": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 1024,
        "description": "The part of the inputs to take, such as messages.-1.content. Default: all."
      },
      "dataset_outputs_path": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 1024,
        "description": "The part of the outputs to take. Default: all."
      },
      "dataset_split": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string",
            "maxLength": 1024
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "maxLength": 1024
            },
            "maxItems": 100
          }
        ]
      },
      "add_to_annotation_queue_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "format": "uuid",
        "description": "Id of the annotation queue that gets the runs."
      },
      "evaluators": {
        "type": [
          "array",
          "null"
        ],
        "maxItems": 100,
        "items": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256
        },
        "description": "Names of evaluators of langgraph.json that score the runs."
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "For access handlers."
      }
    },
    "required": [
      "display_name"
    ],
    "additionalProperties": false
  },
  "RuleListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Rules to return.",
    "type": "object",
    "properties": {
      "session_id": {
        "type": "string",
        "format": "uuid"
      },
      "dataset_id": {
        "type": "string",
        "format": "uuid"
      },
      "name_contains": {
        "type": "string",
        "maxLength": 1024
      }
    }
  },
  "RulePatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "The fields of a rule to change.",
    "type": "object",
    "properties": {
      "display_name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 1024,
        "description": "Name of the rule."
      },
      "is_enabled": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Default true."
      },
      "session_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "format": "uuid",
        "description": "Id of the project whose runs the rule looks at. Null: the projects of all assistants."
      },
      "trigger": {
        "type": "string",
        "enum": [
          "end",
          "feedback"
        ],
        "description": "When the rule looks at a run: when it has ended, or when it has ended and has feedback. Default end."
      },
      "filter": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 65536,
        "description": "Only runs that match, in the filter language of runs."
      },
      "trace_filter": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 65536,
        "description": "Only runs whose root matches."
      },
      "tree_filter": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 65536,
        "description": "Only runs of traces in which any step matches."
      },
      "sampling_rate": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0,
        "maximum": 1,
        "description": "Share of the runs, from 0 to 1. Default 1."
      },
      "runs_per_hour": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000000,
        "description": "Most runs on which the rule acts in an hour. Default 1000."
      },
      "add_to_dataset_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "format": "uuid",
        "description": "Id of the dataset that gets the runs."
      },
      "add_to_dataset_prefer_correction": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "The newest correction of a feedback replaces the outputs. Default false."
      },
      "dataset_inputs_path": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 1024,
        "description": "The part of the inputs to take, such as messages.-1.content. Default: all."
      },
      "dataset_outputs_path": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 1024,
        "description": "The part of the outputs to take. Default: all."
      },
      "dataset_split": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string",
            "maxLength": 1024
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "maxLength": 1024
            },
            "maxItems": 100
          }
        ]
      },
      "add_to_annotation_queue_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64,
        "format": "uuid",
        "description": "Id of the annotation queue that gets the runs."
      },
      "evaluators": {
        "type": [
          "array",
          "null"
        ],
        "maxItems": 100,
        "items": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256
        },
        "description": "Names of evaluators of langgraph.json that score the runs."
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "For access handlers."
      }
    },
    "additionalProperties": false
  },
  "DeliveryQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which deliveries of webhooks are listed.",
    "type": "object",
    "properties": {
      "status": {
        "type": "string",
        "enum": [
          "pending",
          "delivered",
          "failed"
        ],
        "description": "Default all."
      },
      "source": {
        "type": "string",
        "enum": [
          "runs",
          "alerts"
        ],
        "default": "runs",
        "description": "What called the webhooks."
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 200,
        "default": 50
      }
    }
  },
  "RunBatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Runs without a thread, each like a body of POST /runs. Either all or none are created.",
    "type": "array",
    "items": {
      "type": "object",
      "additionalProperties": true
    },
    "minItems": 1,
    "maxItems": 500
  },
  "RunCancelQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "How to cancel a run.",
    "type": "object",
    "properties": {
      "wait": {
        "type": "boolean",
        "default": false
      },
      "action": {
        "type": "string",
        "enum": [
          "interrupt",
          "rollback"
        ],
        "default": "interrupt"
      },
      "reason": {
        "type": "string",
        "enum": [
          "taken"
        ],
        "description": "taken: another run has taken over the input of this run. Only with interrupt."
      }
    }
  },
  "RunCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Parameters of a new run. Other fields are ignored.",
    "type": "object",
    "properties": {
      "assistant_id": {
        "type": "string",
        "minLength": 1,
        "description": "Id of an assistant, or the name of a graph."
      },
      "input": {
        "description": "Input of the graph, any JSON. If it is null or missing, a thread with a checkpoint continues from there."
      },
      "command": {
        "description": "Replaces input: answers interrupts, updates the state, or goes to a node.",
        "type": [
          "object",
          "null"
        ],
        "properties": {
          "update": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "object",
                "additionalProperties": true
              },
              {
                "type": "array",
                "items": {
                  "type": "array",
                  "minItems": 2,
                  "maxItems": 2
                }
              }
            ]
          },
          "resume": {
            "description": "The answer, or a map of interrupt ids to answers."
          },
          "goto": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "string"
              },
              {
                "$ref": "#/components/schemas/RunCreate/definitions/send"
              },
              {
                "type": "array",
                "items": {
                  "anyOf": [
                    {
                      "type": "string"
                    },
                    {
                      "$ref": "#/components/schemas/RunCreate/definitions/send"
                    }
                  ]
                }
              }
            ]
          }
        },
        "additionalProperties": true
      },
      "checkpoint": {
        "type": [
          "object",
          "null"
        ],
        "description": "Start from this checkpoint.",
        "properties": {
          "thread_id": {
            "type": [
              "string",
              "null"
            ]
          },
          "checkpoint_id": {
            "type": [
              "string",
              "null"
            ]
          },
          "checkpoint_ns": {
            "type": [
              "string",
              "null"
            ]
          },
          "checkpoint_map": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true
          }
        },
        "additionalProperties": true
      },
      "checkpoint_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Stored on the run and merged into the metadata of its checkpoints."
      },
      "config": {
        "type": [
          "object",
          "null"
        ],
        "properties": {
          "tags": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "array",
                "items": {
                  "type": "string"
                }
              }
            ]
          },
          "recursion_limit": {
            "type": [
              "integer",
              "null"
            ],
            "minimum": 1,
            "maximum": 1000000
          },
          "configurable": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true
          },
          "metadata": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true
          }
        },
        "additionalProperties": true
      },
      "context": {
        "description": "Static context of the run, merged into the context of the assistant."
      },
      "webhook": {
        "description": "URL to call with the run when it has ended, or a path of the project's own HTTP app.",
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 65536
      },
      "interrupt_before": {
        "description": "\"*\" for all nodes, or a list of node names.",
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        ]
      },
      "interrupt_after": {
        "description": "\"*\" for all nodes, or a list of node names.",
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string"
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        ]
      },
      "stream_mode": {
        "description": "One mode or a list. Default values.",
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string",
            "enum": [
              "values",
              "messages",
              "messages-tuple",
              "tasks",
              "checkpoints",
              "updates",
              "events",
              "debug",
              "custom",
              "tools"
            ]
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "enum": [
                "values",
                "messages",
                "messages-tuple",
                "tasks",
                "checkpoints",
                "updates",
                "events",
                "debug",
                "custom",
                "tools"
              ]
            },
            "maxItems": 20
          }
        ]
      },
      "stream_subgraphs": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Also stream events of subgraphs. Their event names include the namespace."
      },
      "stream_resumable": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Store the events, so that clients can reconnect with Last-Event-ID."
      },
      "on_disconnect": {
        "enum": [
          "cancel",
          "continue",
          null
        ],
        "description": "What happens to the run when the streaming or waiting client disconnects. Default continue."
      },
      "feedback_keys": {
        "description": "Feedback keys. When the run succeeds, it returns a feedback address for each key.",
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "minLength": 1,
              "maxLength": 180
            },
            "maxItems": 20
          }
        ]
      },
      "multitask_strategy": {
        "enum": [
          "reject",
          "rollback",
          "interrupt",
          "enqueue",
          null
        ],
        "description": "What to do if the thread already has a run. Default enqueue."
      },
      "if_not_exists": {
        "enum": [
          "create",
          "reject",
          null
        ],
        "description": "What to do if the thread does not exist. Default reject."
      },
      "after_seconds": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0,
        "maximum": 31536000
      },
      "durability": {
        "enum": [
          "sync",
          "async",
          "exit",
          null
        ],
        "description": "When checkpoints are stored. Default async."
      },
      "checkpoint_during": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Deprecated. false is the same as durability exit."
      },
      "on_completion": {
        "type": [
          "string",
          "null"
        ],
        "description": "For a run without a thread: keep keeps its thread. Any other value deletes it."
      },
      "strict_resume": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Fail if the resume command names an interrupt that is not pending."
      }
    },
    "required": [
      "assistant_id"
    ],
    "additionalProperties": true,
    "definitions": {
      "send": {
        "type": "object",
        "properties": {
          "node": {
            "type": "string"
          },
          "input": {}
        },
        "required": [
          "node"
        ],
        "additionalProperties": true
      }
    }
  },
  "RunJoinQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "How to join a run.",
    "type": "object",
    "properties": {
      "stream_mode": {
        "type": "array",
        "items": {
          "type": "string",
          "enum": [
            "values",
            "messages",
            "messages-tuple",
            "tasks",
            "checkpoints",
            "updates",
            "events",
            "debug",
            "custom",
            "tools"
          ]
        }
      },
      "cancel_on_disconnect": {
        "type": "boolean"
      },
      "namespace": {
        "type": "array",
        "$comment": "empty counts",
        "description": "Only events of these namespaces and of namespaces below them, without the subagents that they start. An empty text is the root.",
        "items": {
          "type": "string",
          "maxLength": 4096
        },
        "maxItems": 100
      },
      "checkpoint_id": {
        "type": "string",
        "description": "Accepted and ignored. Last-Event-ID determines the events."
      }
    }
  },
  "RunListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Runs of a thread, newest first.",
    "type": "object",
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "default": 10
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000000,
        "default": 0
      },
      "status": {
        "type": "string",
        "enum": [
          "pending",
          "running",
          "error",
          "success",
          "timeout",
          "interrupted"
        ]
      },
      "select": {
        "type": "array",
        "items": {
          "type": "string",
          "enum": [
            "run_id",
            "thread_id",
            "assistant_id",
            "created_at",
            "updated_at",
            "status",
            "metadata",
            "kwargs",
            "multitask_strategy",
            "langsmith_session_name",
            "cancel_reason",
            "code_version"
          ]
        }
      }
    }
  },
  "RunStreamQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Events of a new run to stream.",
    "type": "object",
    "properties": {
      "namespace": {
        "type": "array",
        "$comment": "empty counts",
        "description": "Only events of these namespaces and of namespaces below them, without the subagents that they start. An empty text is the root.",
        "items": {
          "type": "string",
          "maxLength": 4096
        },
        "maxItems": 100
      }
    }
  },
  "RunsCancelQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "How to cancel runs.",
    "type": "object",
    "properties": {
      "action": {
        "type": "string",
        "enum": [
          "interrupt",
          "rollback"
        ],
        "default": "interrupt"
      }
    }
  },
  "RunsCancel": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Runs to cancel: by status, or by thread and ids.",
    "type": "object",
    "properties": {
      "status": {
        "description": "All runs with this status that the caller may see.",
        "enum": [
          "pending",
          "running",
          "all",
          null
        ]
      },
      "thread_id": {
        "type": [
          "string",
          "null"
        ],
        "format": "uuid",
        "description": "The thread of the runs."
      },
      "run_ids": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "format": "uuid"
            },
            "minItems": 1,
            "maxItems": 10000
          }
        ],
        "description": "All of these runs must be pending or running. Otherwise none is cancelled."
      }
    },
    "additionalProperties": true
  },
  "AuditQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Query of the audit log.",
    "type": "object",
    "properties": {
      "action": {
        "type": "string",
        "maxLength": 100,
        "description": "Action such as threads:delete or sign-in, or a kind such as assistants."
      },
      "actor": {
        "type": "string",
        "maxLength": 300,
        "description": "Name or id of the person or the key."
      },
      "record": {
        "type": "string",
        "maxLength": 300,
        "description": "Part of the id of the record."
      },
      "since": {
        "type": "string",
        "format": "date-time"
      },
      "until": {
        "type": "string",
        "format": "date-time"
      },
      "failed": {
        "type": "boolean",
        "description": "Only requests that were refused or failed."
      },
      "after": {
        "type": "string",
        "format": "uuid",
        "description": "The value of next of the page before."
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 100."
      }
    }
  },
  "BrowserSessionParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter of the session of a person.",
    "type": "object",
    "properties": {
      "session": {
        "type": "string",
        "maxLength": 100
      }
    },
    "required": [
      "session"
    ]
  },
  "CodeDeploy": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which code to load.",
    "type": "object",
    "properties": {
      "config": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 4096,
        "description": "Absolute path of a langgraph.json on the server's machine. Null: the one that the server runs with."
      }
    },
    "additionalProperties": false
  },
  "CodeVersionParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter of a code version: its hash, or the first characters of it.",
    "type": "object",
    "properties": {
      "version": {
        "type": "string",
        "minLength": 8,
        "maxLength": 64
      }
    },
    "required": [
      "version"
    ]
  },
  "KeyCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A new API key.",
    "type": "object",
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "description": "Name of the key, unique among valid keys."
      },
      "scopes": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "maxLength": 100
            },
            "minItems": 1,
            "maxItems": 100
          }
        ],
        "description": "Scopes of the key. Default all. They must not exceed the scopes of the key that makes the request."
      },
      "expires_at": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string",
            "format": "date-time"
          }
        ],
        "description": "Time at which the key expires. Default never."
      }
    },
    "required": [
      "name"
    ]
  },
  "KeyParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter of an API key.",
    "type": "object",
    "properties": {
      "key": {
        "type": "string",
        "maxLength": 200
      }
    },
    "required": [
      "key"
    ]
  },
  "MetricsQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Format of the metrics.",
    "type": "object",
    "properties": {
      "format": {
        "type": "string",
        "enum": [
          "prometheus",
          "json"
        ],
        "default": "prometheus"
      },
      "node": {
        "type": "string",
        "enum": [
          "self"
        ],
        "description": "In a cluster: the node that receives the request answers with its own metrics, also if it is not the owner."
      },
      "names": {
        "type": "array",
        "items": {
          "type": "string",
          "maxLength": 100
        },
        "maxItems": 100,
        "description": "Only metrics with these names, with `format=json`."
      }
    }
  },
  "NodeParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path parameter of a node of a cluster.",
    "type": "object",
    "properties": {
      "node": {
        "type": "string",
        "maxLength": 300
      }
    },
    "required": [
      "node"
    ]
  },
  "OkQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "How thoroughly the server checks its health.",
    "type": "object",
    "properties": {
      "check_db": {
        "type": "boolean",
        "description": "Also checks that the store can be read.",
        "default": false
      }
    }
  },
  "ServerHistoryQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A time of the history of the server.",
    "type": "object",
    "properties": {
      "start": {
        "type": "string",
        "format": "date-time",
        "description": "Default an hour before the end."
      },
      "end": {
        "type": "string",
        "format": "date-time",
        "description": "Exclusive. Default now."
      },
      "step_seconds": {
        "type": "integer",
        "minimum": 60,
        "maximum": 604800,
        "description": "Length of a step. It is rounded up to the length of the stored samples: a minute, ten minutes after a day, an hour after a week. Default: one that makes at most 200 points."
      }
    }
  },
  "SignInQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Query of a sign-in.",
    "type": "object",
    "properties": {
      "to": {
        "type": "string",
        "maxLength": 2000,
        "description": "Path in the console to return to, such as /threads. Everything else leads to its first page."
      }
    }
  },
  "UiParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "UI components for a page, by their name in `ui` of langgraph.json.",
    "type": "object",
    "properties": {
      "agent": {
        "type": "string",
        "minLength": 1
      },
      "file": {
        "type": "string",
        "minLength": 1
      }
    },
    "required": [
      "agent"
    ]
  },
  "UiRequest": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "The component to load.",
    "type": "object",
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      }
    },
    "required": [
      "name"
    ]
  },
  "ItemDelete": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Namespace and key of an item.",
    "type": "object",
    "properties": {
      "namespace": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        }
      },
      "key": {
        "type": "string",
        "minLength": 1,
        "maxLength": 1600
      }
    },
    "required": [
      "key"
    ],
    "additionalProperties": true
  },
  "ItemParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Namespace and key of an item.",
    "type": "object",
    "properties": {
      "namespace": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "$comment": "labels",
        "description": "One value with periods between the labels, or one value per label."
      },
      "key": {
        "type": "string",
        "minLength": 1,
        "maxLength": 1600
      },
      "refresh_ttl": {
        "type": "boolean",
        "description": "Reading the item restarts its expiry. Default store.ttl.refresh_on_read."
      }
    },
    "required": [
      "key"
    ]
  },
  "ItemPut": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "An item of long-term memory.",
    "type": "object",
    "properties": {
      "namespace": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "description": "Labels, the outermost first. No label is empty or contains a period."
      },
      "key": {
        "type": "string",
        "minLength": 1,
        "maxLength": 1600
      },
      "value": {
        "type": "object",
        "additionalProperties": true
      },
      "index": {
        "anyOf": [
          {
            "enum": [
              false,
              null
            ]
          },
          {
            "type": "array",
            "items": {
              "type": "string"
            },
            "maxItems": 100
          }
        ],
        "description": "What vector search indexes: false for nothing, paths into the value, or null for the configured default."
      },
      "ttl": {
        "type": [
          "number",
          "null"
        ],
        "exclusiveMinimum": 0,
        "maximum": 52560000,
        "description": "Minutes until the item expires. Default store.ttl.default_ttl. Null means never."
      }
    },
    "required": [
      "key",
      "value"
    ],
    "additionalProperties": true
  },
  "ItemSearch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Items to return, latest update first.",
    "type": "object",
    "properties": {
      "namespace_prefix": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "description": "Items in this namespace and below it. Default all."
      },
      "filter": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Conditions on members of the value: a value, or the operators $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin."
      },
      "query": {
        "type": [
          "string",
          "null"
        ],
        "description": "Text for a vector search, if it is configured."
      },
      "limit": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000
      },
      "offset": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 1000000
      },
      "refresh_ttl": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Reading the item restarts its expiry. Default store.ttl.refresh_on_read."
      }
    },
    "additionalProperties": true
  },
  "NamespaceList": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Namespaces to return.",
    "type": "object",
    "properties": {
      "prefix": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "description": "Prefix of the namespaces. * matches any one label."
      },
      "suffix": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "description": "Suffix of the namespaces. * matches any one label."
      },
      "max_depth": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000,
        "description": "Maximum number of labels per namespace."
      },
      "limit": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000
      },
      "offset": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 1000000
      }
    },
    "additionalProperties": true
  },
  "HistoryListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "States to return, newest first.",
    "type": "object",
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "default": 10
      },
      "before": {
        "type": "string",
        "description": "A checkpoint id, or a checkpoint or config as JSON. Only older states are returned."
      },
      "metadata": {
        "type": "object",
        "additionalProperties": true,
        "description": "JSON. The checkpoint's metadata must contain this."
      },
      "checkpoint": {
        "type": "object",
        "properties": {
          "thread_id": {
            "type": [
              "string",
              "null"
            ]
          },
          "checkpoint_id": {
            "type": [
              "string",
              "null"
            ]
          },
          "checkpoint_ns": {
            "type": [
              "string",
              "null"
            ]
          },
          "checkpoint_map": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true
          }
        },
        "additionalProperties": true,
        "description": "JSON. Its checkpoint_ns selects the subgraph whose states are returned."
      },
      "select": {
        "type": "array",
        "maxItems": 1000,
        "items": {
          "type": "string",
          "pattern": "^(values(\\..+)?|next|tasks|checkpoint|metadata|created_at|parent_checkpoint|interrupts)$"
        },
        "description": "Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one value."
      }
    }
  },
  "HistoryQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "States to return, newest first.",
    "type": "object",
    "properties": {
      "limit": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 10."
      },
      "before": {
        "description": "A checkpoint id, a checkpoint or a config. Only older states are returned.",
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string"
          },
          {
            "type": "object",
            "additionalProperties": true
          }
        ]
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "The checkpoint's metadata must contain this."
      },
      "checkpoint": {
        "type": [
          "object",
          "null"
        ],
        "properties": {
          "thread_id": {
            "type": [
              "string",
              "null"
            ]
          },
          "checkpoint_id": {
            "type": [
              "string",
              "null"
            ]
          },
          "checkpoint_ns": {
            "type": [
              "string",
              "null"
            ]
          },
          "checkpoint_map": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true
          }
        },
        "additionalProperties": true,
        "description": "Its checkpoint_ns selects the subgraph whose states are returned."
      },
      "select": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "maxItems": 1000,
            "items": {
              "type": "string",
              "pattern": "^(values(\\..+)?|next|tasks|checkpoint|metadata|created_at|parent_checkpoint|interrupts)$"
            }
          }
        ],
        "description": "Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one value."
      }
    },
    "additionalProperties": true
  },
  "ProtocolCommand": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A command of event protocol version 2. The parameters of its method are validated with the command, and errors are returned in an envelope.",
    "type": "object",
    "properties": {
      "id": {
        "type": "integer",
        "minimum": 0
      },
      "method": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100
      },
      "params": {
        "type": "object"
      }
    },
    "required": [
      "id",
      "method"
    ]
  },
  "ProtocolSubscription": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Events of a thread to stream.",
    "type": "object",
    "properties": {
      "channels": {
        "type": "array",
        "minItems": 1,
        "maxItems": 100,
        "items": {
          "type": "string",
          "pattern": "^(values|updates|messages|tools|lifecycle|input|checkpoints|tasks|custom|custom:.{1,200})$"
        }
      },
      "namespaces": {
        "type": [
          "array",
          "null"
        ],
        "maxItems": 100,
        "items": {
          "type": "array",
          "maxItems": 64,
          "items": {
            "type": "string",
            "maxLength": 500
          }
        },
        "description": "Prefixes of namespaces. Default all events."
      },
      "depth": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "description": "Maximum depth below the prefix."
      },
      "since": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "description": "The last `seq` that the client has received. Default all stored events."
      }
    },
    "required": [
      "channels"
    ]
  },
  "StateAtCheckpoint": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "The state at a checkpoint.",
    "type": "object",
    "properties": {
      "checkpoint": {
        "type": "object",
        "properties": {
          "thread_id": {
            "type": [
              "string",
              "null"
            ]
          },
          "checkpoint_id": {
            "type": [
              "string",
              "null"
            ]
          },
          "checkpoint_ns": {
            "type": [
              "string",
              "null"
            ]
          },
          "checkpoint_map": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true
          }
        },
        "additionalProperties": true
      },
      "subgraphs": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "select": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "maxItems": 1000,
            "items": {
              "type": "string",
              "pattern": "^(values(\\..+)?|next|tasks|checkpoint|metadata|created_at|parent_checkpoint|interrupts)$"
            }
          }
        ],
        "description": "Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one value."
      }
    },
    "required": [
      "checkpoint"
    ],
    "additionalProperties": true
  },
  "StatePatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Metadata to merge into a thread.",
    "type": "object",
    "properties": {
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      }
    },
    "additionalProperties": true
  },
  "StateQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Parts of a state to return.",
    "type": "object",
    "properties": {
      "subgraphs": {
        "type": "boolean",
        "default": false
      },
      "select": {
        "type": "array",
        "maxItems": 1000,
        "items": {
          "type": "string",
          "pattern": "^(values(\\..+)?|next|tasks|checkpoint|metadata|created_at|parent_checkpoint|interrupts)$"
        },
        "description": "Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one value."
      }
    }
  },
  "StateUpdate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A change of a thread's state.",
    "type": "object",
    "properties": {
      "values": {
        "description": "What the node would have written: an object, or a list of pairs. Null with as_node marks the node as done."
      },
      "as_node": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "description": "The node to which the update is attributed. Default the node that wrote last."
      },
      "checkpoint": {
        "type": [
          "object",
          "null"
        ],
        "properties": {
          "thread_id": {
            "type": [
              "string",
              "null"
            ]
          },
          "checkpoint_id": {
            "type": [
              "string",
              "null"
            ]
          },
          "checkpoint_ns": {
            "type": [
              "string",
              "null"
            ]
          },
          "checkpoint_map": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true
          }
        },
        "additionalProperties": true
      },
      "checkpoint_id": {
        "type": [
          "string",
          "null"
        ],
        "description": "The same as checkpoint.checkpoint_id."
      }
    },
    "additionalProperties": true
  },
  "ThreadCount": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Threads to count.",
    "type": "object",
    "properties": {
      "ids": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "format": "uuid"
            },
            "maxItems": 1000
          }
        ],
        "description": "Any of these ids."
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "The thread's metadata must contain this."
      },
      "values": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "The thread's latest values must contain this."
      },
      "status": {
        "enum": [
          "idle",
          "busy",
          "interrupted",
          "error",
          null
        ]
      },
      "exists": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "maxLength": 1000
            },
            "maxItems": 100
          }
        ],
        "description": "Paths that must exist, such as metadata.owner or values.messages[0]."
      },
      "text": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 200,
        "description": "Text that occurs in the thread's latest values or metadata, or with which its id begins. Ignores case and surrounding whitespace."
      },
      "or": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "minItems": 1,
            "maxItems": 100,
            "items": {
              "$ref": "#/components/schemas/ThreadCount/definitions/condition"
            }
          }
        ],
        "description": "Conditions of which at least one must be true."
      },
      "not": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "$ref": "#/components/schemas/ThreadCount/definitions/condition"
          }
        ],
        "description": "A condition that must not be true."
      }
    },
    "additionalProperties": true,
    "definitions": {
      "condition": {
        "type": "object",
        "description": "A condition on threads. All of its members must be true.",
        "properties": {
          "ids": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "array",
                "items": {
                  "type": "string",
                  "format": "uuid"
                },
                "maxItems": 1000
              }
            ],
            "description": "Any of these ids."
          },
          "metadata": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true,
            "description": "The thread's metadata must contain this."
          },
          "values": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true,
            "description": "The thread's latest values must contain this."
          },
          "status": {
            "enum": [
              "idle",
              "busy",
              "interrupted",
              "error",
              null
            ]
          },
          "exists": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "array",
                "items": {
                  "type": "string",
                  "maxLength": 1000
                },
                "maxItems": 100
              }
            ],
            "description": "Paths that must exist, such as metadata.owner or values.messages[0]."
          },
          "text": {
            "type": [
              "string",
              "null"
            ],
            "minLength": 1,
            "maxLength": 200,
            "description": "Text that occurs in the thread's latest values or metadata, or with which its id begins. Ignores case and surrounding whitespace."
          },
          "or": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "array",
                "minItems": 1,
                "maxItems": 100,
                "items": {
                  "$ref": "#/components/schemas/ThreadCount/definitions/condition"
                }
              }
            ],
            "description": "Conditions of which at least one must be true."
          },
          "not": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "$ref": "#/components/schemas/ThreadCount/definitions/condition"
              }
            ],
            "description": "A condition that must not be true."
          }
        },
        "additionalProperties": false
      }
    }
  },
  "ThreadCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A new thread.",
    "type": "object",
    "properties": {
      "thread_id": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "string",
            "format": "uuid"
          }
        ]
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "if_exists": {
        "enum": [
          "raise",
          "do_nothing",
          null
        ],
        "description": "Default raise."
      },
      "supersteps": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "object",
          "properties": {
            "updates": {
              "type": "array",
              "minItems": 1,
              "items": {
                "type": "object",
                "properties": {
                  "values": {},
                  "command": {
                    "type": [
                      "object",
                      "null"
                    ],
                    "additionalProperties": true
                  },
                  "as_node": {
                    "type": [
                      "string",
                      "null"
                    ],
                    "minLength": 1
                  }
                },
                "additionalProperties": true
              }
            }
          },
          "required": [
            "updates"
          ],
          "additionalProperties": true
        },
        "description": "The initial history of the thread. metadata.graph_id names the graph."
      },
      "ttl": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "number",
            "exclusiveMinimum": 0
          },
          {
            "type": "object",
            "properties": {
              "strategy": {
                "enum": [
                  "delete",
                  "keep_latest",
                  null
                ]
              },
              "ttl": {
                "type": "number",
                "exclusiveMinimum": 0
              }
            },
            "required": [
              "ttl"
            ],
            "additionalProperties": true
          }
        ],
        "description": "Minutes without activity after which the thread is deleted or pruned."
      },
      "keep_last": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000000,
        "description": "Number of newest states to keep. Null uses the server's configuration."
      }
    },
    "additionalProperties": true
  },
  "ThreadImportQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "How to import a thread.",
    "type": "object",
    "properties": {
      "new_id": {
        "type": "boolean",
        "description": "Give the thread a new id.",
        "default": false
      }
    }
  },
  "ThreadListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Threads to return, and their order.",
    "type": "object",
    "properties": {
      "ids": {
        "type": "array",
        "items": {
          "type": "string",
          "format": "uuid"
        },
        "maxItems": 1000,
        "description": "Any of these ids."
      },
      "metadata": {
        "type": "object",
        "additionalProperties": true,
        "description": "JSON. The thread's metadata must contain this."
      },
      "values": {
        "type": "object",
        "additionalProperties": true,
        "description": "JSON. The thread's latest values must contain this."
      },
      "status": {
        "type": "string",
        "enum": [
          "idle",
          "busy",
          "interrupted",
          "error"
        ]
      },
      "exists": {
        "type": "array",
        "items": {
          "type": "string",
          "maxLength": 1000
        },
        "maxItems": 100,
        "description": "Paths that must exist, such as metadata.owner or values.messages[0]."
      },
      "text": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "description": "Text that occurs in the thread's latest values or metadata, or with which its id begins. Ignores case and surrounding whitespace."
      },
      "or": {
        "type": "array",
        "minItems": 1,
        "maxItems": 100,
        "items": {
          "$ref": "#/components/schemas/ThreadListQuery/definitions/condition"
        },
        "description": "JSON. Conditions of which at least one must be true."
      },
      "not": {
        "type": "object",
        "allOf": [
          {
            "$ref": "#/components/schemas/ThreadListQuery/definitions/condition"
          }
        ],
        "description": "JSON. A condition that must not be true."
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "default": 10
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000000,
        "default": 0
      },
      "sort_by": {
        "type": "string",
        "enum": [
          "thread_id",
          "status",
          "created_at",
          "updated_at",
          "state_updated_at"
        ]
      },
      "sort_order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ]
      },
      "select": {
        "type": "array",
        "items": {
          "type": "string",
          "enum": [
            "thread_id",
            "created_at",
            "updated_at",
            "state_updated_at",
            "metadata",
            "config",
            "status",
            "values",
            "interrupts"
          ]
        }
      },
      "extract": {
        "type": "object",
        "maxProperties": 10,
        "additionalProperties": {
          "type": "string",
          "maxLength": 1000
        },
        "description": "JSON. Maps names of your choice to paths. Their values are returned under these names in extracted."
      },
      "extract_chars_max": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100000,
        "description": "Extracted texts are cut after this many characters. Longer parts that are not text are null."
      },
      "cursor": {
        "type": "string",
        "maxLength": 20000,
        "description": "* for the first page, then the value of the x-pagination-cursor header."
      }
    },
    "definitions": {
      "condition": {
        "type": "object",
        "description": "A condition on threads. All of its members must be true.",
        "properties": {
          "ids": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "array",
                "items": {
                  "type": "string",
                  "format": "uuid"
                },
                "maxItems": 1000
              }
            ],
            "description": "Any of these ids."
          },
          "metadata": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true,
            "description": "The thread's metadata must contain this."
          },
          "values": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true,
            "description": "The thread's latest values must contain this."
          },
          "status": {
            "enum": [
              "idle",
              "busy",
              "interrupted",
              "error",
              null
            ]
          },
          "exists": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "array",
                "items": {
                  "type": "string",
                  "maxLength": 1000
                },
                "maxItems": 100
              }
            ],
            "description": "Paths that must exist, such as metadata.owner or values.messages[0]."
          },
          "text": {
            "type": [
              "string",
              "null"
            ],
            "minLength": 1,
            "maxLength": 200,
            "description": "Text that occurs in the thread's latest values or metadata, or with which its id begins. Ignores case and surrounding whitespace."
          },
          "or": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "array",
                "minItems": 1,
                "maxItems": 100,
                "items": {
                  "$ref": "#/components/schemas/ThreadListQuery/definitions/condition"
                }
              }
            ],
            "description": "Conditions of which at least one must be true."
          },
          "not": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "$ref": "#/components/schemas/ThreadListQuery/definitions/condition"
              }
            ],
            "description": "A condition that must not be true."
          }
        },
        "additionalProperties": false
      }
    }
  },
  "ThreadPatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Metadata to merge into the thread's metadata.",
    "type": "object",
    "properties": {
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "ttl": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "number",
            "exclusiveMinimum": 0
          },
          {
            "type": "object",
            "properties": {
              "strategy": {
                "enum": [
                  "delete",
                  "keep_latest",
                  null
                ]
              },
              "ttl": {
                "type": "number",
                "exclusiveMinimum": 0
              }
            },
            "required": [
              "ttl"
            ],
            "additionalProperties": true
          }
        ],
        "description": "Minutes without activity after which the thread is deleted or pruned."
      },
      "keep_last": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000000,
        "description": "Number of newest states to keep. Null uses the server's configuration."
      }
    },
    "additionalProperties": true
  },
  "ThreadPrune": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Threads to delete or prune.",
    "type": "object",
    "properties": {
      "thread_ids": {
        "type": "array",
        "items": {
          "type": "string",
          "format": "uuid"
        },
        "maxItems": 1000
      },
      "strategy": {
        "enum": [
          "delete",
          "keep_latest",
          null
        ],
        "description": "Default delete. keep_latest: delete all states except the newest one."
      }
    },
    "required": [
      "thread_ids"
    ],
    "additionalProperties": true
  },
  "ThreadQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Additional fields of a thread to return.",
    "type": "object",
    "properties": {
      "include": {
        "type": "array",
        "items": {
          "type": "string",
          "enum": [
            "ttl"
          ]
        }
      }
    }
  },
  "ThreadSearch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Threads to return, and their order.",
    "type": "object",
    "properties": {
      "ids": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "format": "uuid"
            },
            "maxItems": 1000
          }
        ],
        "description": "Any of these ids."
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "The thread's metadata must contain this."
      },
      "values": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "The thread's latest values must contain this."
      },
      "status": {
        "enum": [
          "idle",
          "busy",
          "interrupted",
          "error",
          null
        ]
      },
      "exists": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "maxLength": 1000
            },
            "maxItems": 100
          }
        ],
        "description": "Paths that must exist, such as metadata.owner or values.messages[0]."
      },
      "text": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 200,
        "description": "Text that occurs in the thread's latest values or metadata, or with which its id begins. Ignores case and surrounding whitespace."
      },
      "or": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "minItems": 1,
            "maxItems": 100,
            "items": {
              "$ref": "#/components/schemas/ThreadSearch/definitions/condition"
            }
          }
        ],
        "description": "Conditions of which at least one must be true."
      },
      "not": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "$ref": "#/components/schemas/ThreadSearch/definitions/condition"
          }
        ],
        "description": "A condition that must not be true."
      },
      "limit": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000,
        "description": "Default 10."
      },
      "offset": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 1000000
      },
      "sort_by": {
        "enum": [
          "thread_id",
          "status",
          "created_at",
          "updated_at",
          "state_updated_at",
          null
        ],
        "description": "Default updated_at."
      },
      "sort_order": {
        "enum": [
          "asc",
          "desc",
          null
        ],
        "description": "Default desc."
      },
      "select": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "array",
            "items": {
              "type": "string",
              "enum": [
                "thread_id",
                "created_at",
                "updated_at",
                "state_updated_at",
                "metadata",
                "config",
                "status",
                "values",
                "interrupts"
              ]
            }
          }
        ]
      },
      "extract": {
        "anyOf": [
          {
            "type": "null"
          },
          {
            "type": "object",
            "maxProperties": 10,
            "additionalProperties": {
              "type": "string",
              "maxLength": 1000
            }
          }
        ],
        "description": "Maps names of your choice to paths. Their values are returned under these names in extracted."
      },
      "extract_chars_max": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 100000,
        "description": "Extracted texts are cut after this many characters. Longer parts that are not text are null."
      },
      "cursor": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 20000,
        "description": "* for the first page, then the value of the x-pagination-cursor header."
      }
    },
    "additionalProperties": true,
    "definitions": {
      "condition": {
        "type": "object",
        "description": "A condition on threads. All of its members must be true.",
        "properties": {
          "ids": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "array",
                "items": {
                  "type": "string",
                  "format": "uuid"
                },
                "maxItems": 1000
              }
            ],
            "description": "Any of these ids."
          },
          "metadata": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true,
            "description": "The thread's metadata must contain this."
          },
          "values": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true,
            "description": "The thread's latest values must contain this."
          },
          "status": {
            "enum": [
              "idle",
              "busy",
              "interrupted",
              "error",
              null
            ]
          },
          "exists": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "array",
                "items": {
                  "type": "string",
                  "maxLength": 1000
                },
                "maxItems": 100
              }
            ],
            "description": "Paths that must exist, such as metadata.owner or values.messages[0]."
          },
          "text": {
            "type": [
              "string",
              "null"
            ],
            "minLength": 1,
            "maxLength": 200,
            "description": "Text that occurs in the thread's latest values or metadata, or with which its id begins. Ignores case and surrounding whitespace."
          },
          "or": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "type": "array",
                "minItems": 1,
                "maxItems": 100,
                "items": {
                  "$ref": "#/components/schemas/ThreadSearch/definitions/condition"
                }
              }
            ],
            "description": "Conditions of which at least one must be true."
          },
          "not": {
            "anyOf": [
              {
                "type": "null"
              },
              {
                "$ref": "#/components/schemas/ThreadSearch/definitions/condition"
              }
            ],
            "description": "A condition that must not be true."
          }
        },
        "additionalProperties": false
      }
    }
  },
  "ThreadStreamQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which events of a thread are streamed. Default run_modes.",
    "type": "object",
    "properties": {
      "stream_mode": {
        "type": "array",
        "description": "run_modes: all events of all runs, and the end of each run. lifecycle: start and end of each run. state_update: the state after each run or update.",
        "items": {
          "type": "string",
          "enum": [
            "run_modes",
            "lifecycle",
            "state_update"
          ]
        },
        "maxItems": 10
      },
      "stream_modes": {
        "type": "array",
        "description": "Alias of stream_mode.",
        "items": {
          "type": "string",
          "enum": [
            "run_modes",
            "lifecycle",
            "state_update"
          ]
        },
        "maxItems": 10
      }
    }
  }
};
