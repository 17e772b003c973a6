// Made by schemas/build.ts from schemas/**/*.json. Run `npm run schemas` after a change there.

export const schemas: Record<string, Record<string, unknown>> = {
  "A2aMessage": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A JSON-RPC 2.0 request of the Agent2Agent protocol. What is wrong with it is told in JSON-RPC's own words, so no more is said here."
  },
  "CardQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Whose card it is.",
    "type": "object",
    "properties": {
      "assistant_id": {
        "type": "string",
        "minLength": 1,
        "description": "The id of an assistant or the name of a graph."
      }
    },
    "required": [
      "assistant_id"
    ]
  },
  "McpMessage": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A JSON-RPC 2.0 message of the Model Context Protocol, or with its version 2025-03-26 a list of them. What is wrong with one is told in JSON-RPC's own words, so no more is said here."
  },
  "AssistantCount": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which assistants are counted.",
    "type": "object",
    "properties": {
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Contained in the assistant's metadata."
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
        "description": "Part of the name, in any case."
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
        "description": "Configuration of its runs; a run's own is laid over it."
      },
      "context": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Static context of its runs; a run's own is merged over it."
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
    "description": "What goes with an assistant.",
    "type": "object",
    "properties": {
      "delete_threads": {
        "type": "boolean",
        "default": false,
        "description": "Also the threads whose metadata.assistant_id is this assistant, as far as the caller may delete them."
      }
    }
  },
  "AssistantLatestQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "The same in the query, for clients that send it there.",
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
    "description": "The version that an assistant goes back to.",
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
    "description": "What changes of an assistant. Every patch makes a new version, an empty one too.",
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
        "description": "Configuration of its runs; a run's own is laid over it."
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
        "description": "Merged over the metadata that is there."
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
    "description": "Which assistants, and in what order.",
    "type": "object",
    "properties": {
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Contained in the assistant's metadata."
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
        "description": "Part of the name, in any case."
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
        "description": "Fields to answer with; all when not given."
      }
    },
    "additionalProperties": true
  },
  "AssistantVersions": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which versions of an assistant, newest first.",
    "type": "object",
    "properties": {
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Contained in the version's metadata."
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
        "description": "Whether subgraphs are opened: all of them, or those down to this depth.",
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
    "description": "Which subgraphs to show.",
    "type": "object",
    "properties": {
      "recurse": {
        "description": "Subgraphs of subgraphs too, under parent|child.",
        "type": "boolean",
        "default": false
      }
    }
  },
  "AssistantParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path of an assistant: its id or the name of a graph.",
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
  "CheckpointParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path of a checkpoint of a thread.",
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
    "description": "Where in the path.",
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
  "CronParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path of a cron.",
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
  "DatasetParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Where in the path.",
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
    "description": "Where in the path.",
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
    "description": "Where in the path.",
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
  "FeedbackParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Where in the path.",
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
    "description": "Path of a run without its thread.",
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
  "RunParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path of a run on a thread.",
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
    "description": "Where in the path.",
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
    "description": "Path of a subgraph: an assistant and a namespace, such as parent|child.",
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
    "description": "Path of a thread.",
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
  "CronCount": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which crons to count.",
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
        "description": "Contained in the cron's metadata."
      }
    },
    "additionalProperties": true
  },
  "CronCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A schedule, and what its runs are asked to do. Fields that are not listed are ignored.",
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
        "description": "ISO 8601; without an offset it is UTC. No slot after it fires."
      },
      "enabled": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Default true. A cron that is not does not fire."
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Of the cron, and of every run it starts."
      },
      "on_run_completed": {
        "enum": [
          "delete",
          "keep",
          null
        ],
        "description": "Of a cron without a thread: what becomes of the thread that each firing makes. Default delete."
      },
      "input": {
        "description": "Input of the graph, any JSON. Null or absent on a thread with a checkpoint: go on from there."
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
        "description": "Static context of the run; merged over the assistant's."
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
        "description": "\"*\" for every node, or a list of node names.",
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
        "description": "\"*\" for every node, or a list of node names.",
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
        "description": "Also stream what happens inside subgraphs; event names then carry the namespace."
      },
      "stream_resumable": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Keep the events so that readers can come back with Last-Event-ID."
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
        "description": "Deprecated: false is durability exit."
      },
      "multitask_strategy": {
        "enum": [
          "reject",
          "rollback",
          "interrupt",
          "enqueue",
          null
        ],
        "description": "What to do when the thread has a run already. Default enqueue."
      },
      "feedback_keys": {
        "description": "Addresses for feedback that the run gives out when it has succeeded, one for each of these keys.",
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
    "description": "What is to change. Null takes a field away, where there can be none.",
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
        "description": "ISO 8601; without an offset it is UTC. No slot after it fires."
      },
      "enabled": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Default true. A cron that is not does not fire."
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Of the cron, and of every run it starts."
      },
      "on_run_completed": {
        "enum": [
          "delete",
          "keep",
          null
        ],
        "description": "Of a cron without a thread: what becomes of the thread that each firing makes. Default delete."
      },
      "input": {
        "description": "Input of the graph, any JSON. Null or absent on a thread with a checkpoint: go on from there."
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
        "description": "Static context of the run; merged over the assistant's."
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
        "description": "\"*\" for every node, or a list of node names.",
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
        "description": "\"*\" for every node, or a list of node names.",
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
        "description": "Also stream what happens inside subgraphs; event names then carry the namespace."
      },
      "stream_resumable": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Keep the events so that readers can come back with Last-Event-ID."
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
        "description": "Deprecated: false is durability exit."
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
        "description": "Addresses for feedback that the run gives out when it has succeeded, one for each of these keys.",
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
    "description": "Which crons, and in what order.",
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
        "description": "Contained in the cron's metadata."
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
        "description": "Default created_at. What has no value comes first, or last when descending."
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
    "description": "Experiments that are judged against each other.",
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
    "description": "Which pairwise comparisons of the dataset.",
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
        "description": "Rows to leave out first.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "100 without it.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "ComparisonQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Experiments of one dataset, compared pair by pair with a baseline.",
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
        "description": "One of them; without it the dataset's baseline, else the first."
      },
      "feedback_key": {
        "type": [
          "string",
          "null"
        ],
        "description": "The score that `only` and `sort_by` go by; the first in the alphabet without it."
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
        "description": "Examples of which at least one experiment did so against the baseline."
      },
      "sort_by": {
        "enum": [
          "example",
          "difference",
          "latency",
          null
        ],
        "description": "difference: the largest regression first; latency: the largest slowdown first."
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
        "description": "Examples whose inputs or outputs have all of these texts, in any case."
      },
      "confidence": {
        "type": [
          "number",
          "null"
        ],
        "description": "Of the intervals; 0.95 without it.",
        "exclusiveMinimum": 0.5,
        "exclusiveMaximum": 1
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
        "description": "Rows to leave out first; instead of a cursor."
      },
      "example_id": {
        "type": [
          "string",
          "null"
        ],
        "description": "The page that this example is on, pages being counted by `limit`; the first page when no row is of it."
      },
      "limit": {
        "type": [
          "integer",
          "null"
        ],
        "description": "50 without it.",
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
        "description": "Inputs and outputs longer than this as JSON come as a text cut there: `inputs_preview`, `outputs_preview`. Whole without it."
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
    "description": "A dataset that is filled example by example.",
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
        "description": "UUID; made when it is not given."
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
        "description": "`metadata` in it becomes the dataset's.",
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
        "description": "jsonl has everything and can be imported; csv is flat, for spreadsheets."
      },
      "as_of": {
        "type": "string",
        "description": "A time or a tag; latest without it."
      }
    }
  },
  "DatasetFileQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A dataset as a file of one form.",
    "type": "object",
    "properties": {
      "as_of": {
        "type": "string",
        "description": "A time or a tag; latest without it."
      }
    }
  },
  "DatasetListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which datasets, and in what order.",
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
        "description": "Rows to leave out first.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "100 without it.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "DatasetPatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "What is given is changed.",
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
        "description": "UUID; null for none."
      }
    }
  },
  "DatasetDiffQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "From which version to which.",
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
  "DatasetSplitsPut": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Puts examples into a split, or takes them out.",
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
    "description": "As of when.",
    "type": "object",
    "properties": {
      "as_of": {
        "type": "string",
        "description": "A time or a tag; latest without it."
      }
    }
  },
  "DatasetTagPut": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Gives a version a name; the tag leaves the version that had it.",
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
    "description": "An experiment that was run elsewhere. Keys that are not listed are ignored.",
    "type": "object",
    "properties": {
      "experiment_name": {
        "type": "string",
        "description": "Unique over all experiments and projects.",
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
        "description": "ISO 8601, with an offset or as UTC, kept to the microsecond."
      },
      "experiment_end_time": {
        "type": "string",
        "description": "ISO 8601, with an offset or as UTC, kept to the microsecond. Not before the start."
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
        "description": "Used when the dataset is made."
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
        "description": "UUID. Names the example in its dataset: the same row of a later upload is the same example."
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
      "evaluation_scores": {
        "type": [
          "array",
          "null"
        ],
        "description": "Scores of the run: UploadedFeedback."
      },
      "start_time": {
        "type": "string",
        "description": "ISO 8601, with an offset or as UTC, kept to the microsecond. Inside the experiment's times."
      },
      "end_time": {
        "type": "string",
        "description": "ISO 8601, with an offset or as UTC, kept to the microsecond. Inside the experiment's times, not before the start."
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
    "description": "One of as_of and tag.",
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
    "description": "Which versions.",
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
        "description": "Rows to leave out first.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "100 without it.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "ExampleRunsQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Examples of a dataset with their runs in experiments.",
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
  "RunIngest": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "One run of a trace, whole or in part. Keys that are not listed are ignored.",
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
  "RunQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which runs of traces. Ids leave every other condition out.",
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
        "description": "At most 100 come at once.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "RunStatsQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Of which runs.",
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
  "RunsDeltaQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which experiments against which, by one feedback key.",
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
  "ExampleCountQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which examples.",
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
        "description": "A time or a tag; latest without it."
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
    "description": "Which examples.",
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
    "description": "Which examples, and whether their older versions go too.",
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
    "description": "Which examples, and in what order.",
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
        "description": "A time or a tag; latest without it."
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
        "description": "Only what select names, and the id."
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
        "description": "Rows to leave out first.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "100 without it.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "ExampleMetadataPatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Operations on the metadata of examples, done in order.",
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
              "description": "set, array_add or array_remove, in any case."
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
        "description": "A time or a tag; latest without it."
      },
      "dataset": {
        "type": "string"
      }
    }
  },
  "ExampleWrite": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "An example, whole or in part. Null leaves a field as it is.",
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
      "name": {
        "type": [
          "string",
          "null"
        ]
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
    "description": "Which experiments.",
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
        "description": "jsonl has everything and can be imported; csv is flat, for spreadsheets."
      }
    }
  },
  "SessionListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which experiments and projects, and in what order.",
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
        "description": "Contained in the metadata.",
        "additionalProperties": true
      },
      "include_stats": {
        "type": "boolean",
        "description": "false leaves all statistics but run_count out."
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
        "description": "Rows to leave out first.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "100 without it.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "SessionMetadataQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which metadata.",
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
    "description": "What is given and not null is changed.",
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
        "description": "false leaves all statistics but run_count out."
      }
    }
  },
  "SessionCreateQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "What to do when the name is taken.",
    "type": "object",
    "properties": {
      "upsert": {
        "type": "boolean",
        "description": "Answer with the one that has the name."
      }
    }
  },
  "FeedbackConfigCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "How scores of a key are shown and compared.",
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
    "description": "Which configuration.",
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
    "description": "Which configurations.",
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
        "description": "Rows to leave out first.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "100 without it.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "FeedbackConfigPatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "What is given is changed.",
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
        "description": "Categories that are added to those that are there."
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
        "description": "Values of categories that are taken away."
      }
    },
    "required": [
      "feedback_key"
    ]
  },
  "FeedbackCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A score or remark on a run or an experiment.",
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
        "description": "ISO 8601, with an offset or as UTC, kept to the microsecond."
      },
      "modified_at": {
        "type": [
          "string",
          "null"
        ],
        "description": "ISO 8601, with an offset or as UTC, kept to the microsecond."
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
        "description": "UUID; without it the feedback is the experiment's."
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
    "description": "Feedback that is given by following an address.",
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
    "description": "Feedback that is given at an address; the run and the key are the address's.",
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
        "description": "Kept as metadata of the feedback's source."
      }
    }
  },
  "FeedbackListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which feedback; newest first.",
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
        "description": "Rows to leave out first.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "100 without it.",
        "minimum": 1,
        "maximum": 10000
      }
    }
  },
  "FeedbackPatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "What is given is changed; null clears.",
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
    "description": "An address that takes feedback on a run without a key.",
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
        "description": "UUID of the feedback that is made. Without it one that follows from run and key."
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
        "description": "Three hours when neither is given."
      },
      "expires_at": {
        "type": [
          "string",
          "null"
        ],
        "description": "ISO 8601; goes before expires_in."
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
    "description": "Addresses of a run that have not expired, the last to expire first.",
    "type": "object",
    "properties": {
      "run_id": {
        "type": "string"
      },
      "offset": {
        "type": "integer",
        "description": "Rows to leave out first.",
        "minimum": 0
      },
      "limit": {
        "type": "integer",
        "description": "100 without it.",
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
    "description": "Where in the path.",
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
    "description": "A score that comes with an upload.",
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
        "description": "ISO 8601, with an offset or as UTC, kept to the microsecond."
      },
      "modified_at": {
        "type": [
          "string",
          "null"
        ],
        "description": "ISO 8601, with an offset or as UTC, kept to the microsecond."
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
  "RunBatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Runs without a thread, each as for POST /runs. All are made, or none.",
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
        "description": "taken: the input of the run was taken over by another. Only with interrupt."
      }
    }
  },
  "RunCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "What a run is asked to do. Fields that are not listed are ignored.",
    "type": "object",
    "properties": {
      "assistant_id": {
        "type": "string",
        "minLength": 1,
        "description": "Id of an assistant, or the name of a graph."
      },
      "input": {
        "description": "Input of the graph, any JSON. Null or absent on a thread with a checkpoint: go on from there."
      },
      "command": {
        "description": "Overrides input: answer interrupts, change state, jump.",
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
        "description": "Kept on the run and merged into the metadata of its checkpoints."
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
        "description": "Static context of the run; merged over the assistant's."
      },
      "webhook": {
        "description": "URL that is called with the run when it has ended.",
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 65536
      },
      "interrupt_before": {
        "description": "\"*\" for every node, or a list of node names.",
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
        "description": "\"*\" for every node, or a list of node names.",
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
        "description": "Also stream what happens inside subgraphs; event names then carry the namespace."
      },
      "stream_resumable": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Keep the events so that readers can come back with Last-Event-ID."
      },
      "on_disconnect": {
        "enum": [
          "cancel",
          "continue",
          null
        ],
        "description": "What happens to the run when the client that streams or waits goes away. Default continue."
      },
      "feedback_keys": {
        "description": "Addresses for feedback that the run gives out when it has succeeded, one for each of these keys.",
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
        "description": "What to do when the thread has a run already. Default enqueue."
      },
      "if_not_exists": {
        "enum": [
          "create",
          "reject",
          null
        ],
        "description": "What to do when there is no such thread. Default reject."
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
        "description": "Deprecated: false is durability exit."
      },
      "on_completion": {
        "type": [
          "string",
          "null"
        ],
        "description": "Of a run without a thread: keep leaves its thread behind. Anything else removes it."
      },
      "strict_resume": {
        "type": [
          "boolean",
          "null"
        ],
        "description": "Fail a resume that names an interrupt which is not waiting."
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
        "description": "Only events of these namespaces and of what lies below them, without the subagents they start. Empty text is the root.",
        "items": {
          "type": "string",
          "maxLength": 4096
        },
        "maxItems": 100
      },
      "checkpoint_id": {
        "type": "string",
        "description": "Taken and not used: the events are those that Last-Event-ID says."
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
            "cancel_reason"
          ]
        }
      }
    }
  },
  "RunStreamQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "What of a new run is streamed.",
    "type": "object",
    "properties": {
      "namespace": {
        "type": "array",
        "$comment": "empty counts",
        "description": "Only events of these namespaces and of what lies below them, without the subagents they start. Empty text is the root.",
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
    "description": "Which runs to cancel: by status, or by thread and ids.",
    "type": "object",
    "properties": {
      "status": {
        "description": "Every run of this status that the caller sees.",
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
        "description": "All of them must be pending or running, or none is cancelled."
      }
    },
    "additionalProperties": true
  },
  "KeyCreate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "An API key to be made.",
    "type": "object",
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "description": "What it is for; two valid keys have different names."
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
        "description": "What it may do; everything when not given. No key gives what it does not have itself."
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
        "description": "When it ends by itself; never when not given."
      }
    },
    "required": [
      "name"
    ]
  },
  "KeyParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Path of an API key.",
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
    "description": "How the figures are written.",
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
      "names": {
        "type": "array",
        "items": {
          "type": "string",
          "maxLength": 100
        },
        "maxItems": 100,
        "description": "Figures of these names alone, with `format=json`."
      }
    }
  },
  "OkQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "How far the server looks before it says that it is well.",
    "type": "object",
    "properties": {
      "check_db": {
        "type": "boolean",
        "description": "Also read the store.",
        "default": false
      }
    }
  },
  "UiParams": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Components for a page, by the name they have in `ui` of langgraph.json.",
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
    "description": "Which component is to be shown.",
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
    "description": "Which item.",
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
    "description": "Which item.",
    "type": "object",
    "properties": {
      "namespace": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "$comment": "labels",
        "description": "One value with periods between labels, or a value for each label."
      },
      "key": {
        "type": "string",
        "minLength": 1,
        "maxLength": 1600
      },
      "refresh_ttl": {
        "type": "boolean",
        "description": "Reading starts the time to live anew. Default store.ttl.refresh_on_read."
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
        "description": "Labels from the outermost on; none is empty or has a period."
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
        "description": "What a semantic search looks at: false for nothing, paths into the value, or null for what is configured."
      },
      "ttl": {
        "type": [
          "number",
          "null"
        ],
        "exclusiveMinimum": 0,
        "maximum": 52560000,
        "description": "Minutes to live. Default store.ttl.default_ttl; null is for ever."
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
    "description": "Which items, newest update first.",
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
        "description": "In this namespace and below it. Default all."
      },
      "filter": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "What members of the value must be: a value, or operators $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin."
      },
      "query": {
        "type": [
          "string",
          "null"
        ],
        "description": "Words to search for by their meaning, where that is configured."
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
        "description": "Reading starts the time to live anew. Default store.ttl.refresh_on_read."
      }
    },
    "additionalProperties": true
  },
  "NamespaceList": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which namespaces.",
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
        "description": "What they begin with; * stands for any one label."
      },
      "suffix": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        },
        "description": "What they end with; * stands for any one label."
      },
      "max_depth": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000,
        "description": "Labels that are shown of each."
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
    "description": "Which states, newest first.",
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
        "description": "A checkpoint id, or a checkpoint or config as JSON; only older states are shown."
      },
      "metadata": {
        "type": "object",
        "additionalProperties": true,
        "description": "JSON. Contained in the checkpoint's metadata."
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
        "description": "JSON. Its checkpoint_ns is the graph in the graph whose states are shown."
      },
      "select": {
        "type": "array",
        "maxItems": 1000,
        "items": {
          "type": "string",
          "pattern": "^(values(\\..+)?|next|tasks|checkpoint|metadata|created_at|parent_checkpoint|interrupts)$"
        },
        "description": "Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one of the values."
      }
    }
  },
  "HistoryQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which states, newest first.",
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
        "description": "A checkpoint id, a checkpoint or a config; only older states are shown.",
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
        "description": "Contained in the checkpoint's metadata."
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
        "description": "Its checkpoint_ns is the graph in the graph whose states are shown."
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
        "description": "Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one of the values."
      }
    },
    "additionalProperties": true
  },
  "ProtocolCommand": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A command of the second event protocol. What its method wants is checked with it, and answered in an envelope.",
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
    "description": "Which events of a thread are streamed.",
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
        "description": "Beginnings of namespaces; everything without it."
      },
      "depth": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "description": "How far below such a beginning."
      },
      "since": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "description": "The last `seq` that the client has; without it all that is kept."
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
        "description": "Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one of the values."
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
    "description": "What to show of a state.",
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
        "description": "Parts of a state: values, next, tasks, checkpoint, metadata, created_at, parent_checkpoint, interrupts, or values.KEY for one of the values."
      }
    }
  },
  "StateUpdate": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "A change of a thread's state.",
    "type": "object",
    "properties": {
      "values": {
        "description": "What the node would have written: an object, or a list of pairs. Null with as_node: the node is done."
      },
      "as_node": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "description": "The node that the update counts as. Left out: the one that wrote last."
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
        "description": "As checkpoint.checkpoint_id."
      }
    },
    "additionalProperties": true
  },
  "ThreadCount": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which threads to count.",
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
        "description": "One of these."
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Contained in the thread's metadata."
      },
      "values": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Contained in the thread's latest values."
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
        "description": "Paths that lead somewhere, such as metadata.owner or values.messages[0]."
      },
      "text": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 200,
        "description": "Occurs in a string of the thread's latest values or metadata, in any case; or its id begins with it. Space around it does not count."
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
        "description": "Conditions of which at least one holds."
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
        "description": "A condition that does not hold."
      }
    },
    "additionalProperties": true,
    "definitions": {
      "condition": {
        "type": "object",
        "description": "Which threads: all that is named holds.",
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
            "description": "One of these."
          },
          "metadata": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true,
            "description": "Contained in the thread's metadata."
          },
          "values": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true,
            "description": "Contained in the thread's latest values."
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
            "description": "Paths that lead somewhere, such as metadata.owner or values.messages[0]."
          },
          "text": {
            "type": [
              "string",
              "null"
            ],
            "minLength": 1,
            "maxLength": 200,
            "description": "Occurs in a string of the thread's latest values or metadata, in any case; or its id begins with it. Space around it does not count."
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
            "description": "Conditions of which at least one holds."
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
            "description": "A condition that does not hold."
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
        "description": "A history to begin with; metadata.graph_id says whose."
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
        "description": "How many minutes without activity the thread is kept."
      },
      "keep_last": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000000,
        "description": "Newest states that are kept; null: as many as the server's configuration says."
      }
    },
    "additionalProperties": true
  },
  "ThreadImportQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "How a thread is taken in.",
    "type": "object",
    "properties": {
      "new_id": {
        "type": "boolean",
        "description": "Under another id than it had.",
        "default": false
      }
    }
  },
  "ThreadListQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Which threads, and in what order.",
    "type": "object",
    "properties": {
      "ids": {
        "type": "array",
        "items": {
          "type": "string",
          "format": "uuid"
        },
        "maxItems": 1000,
        "description": "One of these."
      },
      "metadata": {
        "type": "object",
        "additionalProperties": true,
        "description": "JSON. Contained in the thread's metadata."
      },
      "values": {
        "type": "object",
        "additionalProperties": true,
        "description": "JSON. Contained in the thread's latest values."
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
        "description": "Paths that lead somewhere, such as metadata.owner or values.messages[0]."
      },
      "text": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "description": "Occurs in a string of the thread's latest values or metadata, in any case; or its id begins with it. Space around it does not count."
      },
      "or": {
        "type": "array",
        "minItems": 1,
        "maxItems": 100,
        "items": {
          "$ref": "#/components/schemas/ThreadListQuery/definitions/condition"
        },
        "description": "JSON. Conditions of which at least one holds."
      },
      "not": {
        "type": "object",
        "allOf": [
          {
            "$ref": "#/components/schemas/ThreadListQuery/definitions/condition"
          }
        ],
        "description": "JSON. A condition that does not hold."
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
        "description": "JSON. Names of your choosing, and the paths to what is shown under them in extracted."
      },
      "extract_chars_max": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100000,
        "description": "Of extracted texts so many characters are shown; other parts that are longer are null."
      },
      "cursor": {
        "type": "string",
        "maxLength": 20000,
        "description": "* for the first page, then what x-pagination-cursor said."
      }
    },
    "definitions": {
      "condition": {
        "type": "object",
        "description": "Which threads: all that is named holds.",
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
            "description": "One of these."
          },
          "metadata": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true,
            "description": "Contained in the thread's metadata."
          },
          "values": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true,
            "description": "Contained in the thread's latest values."
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
            "description": "Paths that lead somewhere, such as metadata.owner or values.messages[0]."
          },
          "text": {
            "type": [
              "string",
              "null"
            ],
            "minLength": 1,
            "maxLength": 200,
            "description": "Occurs in a string of the thread's latest values or metadata, in any case; or its id begins with it. Space around it does not count."
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
            "description": "Conditions of which at least one holds."
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
            "description": "A condition that does not hold."
          }
        },
        "additionalProperties": false
      }
    }
  },
  "ThreadPatch": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Metadata to merge into a thread's.",
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
        "description": "How many minutes without activity the thread is kept."
      },
      "keep_last": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 1000000,
        "description": "Newest states that are kept; null: as many as the server's configuration says."
      }
    },
    "additionalProperties": true
  },
  "ThreadPrune": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "Threads to delete, or to thin out.",
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
        "description": "Default delete. keep_latest: all but the newest state goes."
      }
    },
    "required": [
      "thread_ids"
    ],
    "additionalProperties": true
  },
  "ThreadQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "What to show of a thread besides.",
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
    "description": "Which threads, and in what order.",
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
        "description": "One of these."
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Contained in the thread's metadata."
      },
      "values": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "description": "Contained in the thread's latest values."
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
        "description": "Paths that lead somewhere, such as metadata.owner or values.messages[0]."
      },
      "text": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 200,
        "description": "Occurs in a string of the thread's latest values or metadata, in any case; or its id begins with it. Space around it does not count."
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
        "description": "Conditions of which at least one holds."
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
        "description": "A condition that does not hold."
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
        "description": "Names of your choosing, and the paths to what is shown under them in extracted."
      },
      "extract_chars_max": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 100000,
        "description": "Of extracted texts so many characters are shown; other parts that are longer are null."
      },
      "cursor": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 20000,
        "description": "* for the first page, then what x-pagination-cursor said."
      }
    },
    "additionalProperties": true,
    "definitions": {
      "condition": {
        "type": "object",
        "description": "Which threads: all that is named holds.",
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
            "description": "One of these."
          },
          "metadata": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true,
            "description": "Contained in the thread's metadata."
          },
          "values": {
            "type": [
              "object",
              "null"
            ],
            "additionalProperties": true,
            "description": "Contained in the thread's latest values."
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
            "description": "Paths that lead somewhere, such as metadata.owner or values.messages[0]."
          },
          "text": {
            "type": [
              "string",
              "null"
            ],
            "minLength": 1,
            "maxLength": 200,
            "description": "Occurs in a string of the thread's latest values or metadata, in any case; or its id begins with it. Space around it does not count."
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
            "description": "Conditions of which at least one holds."
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
            "description": "A condition that does not hold."
          }
        },
        "additionalProperties": false
      }
    }
  },
  "ThreadStreamQuery": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "What of a thread is streamed. Default run_modes.",
    "type": "object",
    "properties": {
      "stream_mode": {
        "type": "array",
        "description": "run_modes: all events of all runs, and the end of each. lifecycle: start and end of each run. state_update: the state after each run or update.",
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
        "description": "Another name of stream_mode.",
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
