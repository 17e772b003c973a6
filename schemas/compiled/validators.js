// Made by schemas/build.ts from schemas/**/*.json. Run `npm run schemas` after a change there.
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    function ucs2length(str) {
      const len = str.length;
      let length = 0;
      let pos = 0;
      let value;
      while (pos < len) {
        length++;
        value = str.charCodeAt(pos++);
        if (value >= 55296 && value <= 56319 && pos < len) {
          value = str.charCodeAt(pos);
          if ((value & 64512) === 56320)
            pos++;
        }
      }
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// compiled:first
var AssistantSearch = validate10;
var schema11 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "assistants/assistant-search", "title": "AssistantSearch", "description": "Which assistants, and in what order.", "type": "object", "properties": { "metadata": { "type": ["object", "null"], "additionalProperties": true }, "graph_id": { "type": ["string", "null"] }, "name": { "type": ["string", "null"], "description": "Part of the name, in any case." }, "limit": { "type": ["integer", "null"], "minimum": 1, "maximum": 1e3 }, "offset": { "type": ["integer", "null"], "minimum": 0, "maximum": 1e6 }, "sort_by": { "enum": ["assistant_id", "created_at", "updated_at", "name", "graph_id", null] }, "sort_order": { "enum": ["asc", "desc", null] } }, "additionalProperties": true };
function validate10(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.metadata !== void 0) {
        let data0 = data.metadata;
        const _errs2 = errors;
        if (!(data0 && typeof data0 == "object" && !Array.isArray(data0)) && data0 !== null) {
          validate10.errors = [{ instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: schema11.properties.metadata.type }, message: "must be object,null" }];
          return false;
        }
        var valid0 = _errs2 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.graph_id !== void 0) {
          let data1 = data.graph_id;
          const _errs5 = errors;
          if (typeof data1 !== "string" && data1 !== null) {
            validate10.errors = [{ instancePath: instancePath + "/graph_id", schemaPath: "#/properties/graph_id/type", keyword: "type", params: { type: schema11.properties.graph_id.type }, message: "must be string,null" }];
            return false;
          }
          var valid0 = _errs5 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.name !== void 0) {
            let data2 = data.name;
            const _errs7 = errors;
            if (typeof data2 !== "string" && data2 !== null) {
              validate10.errors = [{ instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: schema11.properties.name.type }, message: "must be string,null" }];
              return false;
            }
            var valid0 = _errs7 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.limit !== void 0) {
              let data3 = data.limit;
              const _errs9 = errors;
              if (!(typeof data3 == "number" && (!(data3 % 1) && !isNaN(data3)) && isFinite(data3)) && data3 !== null) {
                validate10.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: schema11.properties.limit.type }, message: "must be integer,null" }];
                return false;
              }
              if (errors === _errs9) {
                if (typeof data3 == "number" && isFinite(data3)) {
                  if (data3 > 1e3 || isNaN(data3)) {
                    validate10.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" }];
                    return false;
                  } else {
                    if (data3 < 1 || isNaN(data3)) {
                      validate10.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                      return false;
                    }
                  }
                }
              }
              var valid0 = _errs9 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.offset !== void 0) {
                let data4 = data.offset;
                const _errs11 = errors;
                if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4)) && data4 !== null) {
                  validate10.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/type", keyword: "type", params: { type: schema11.properties.offset.type }, message: "must be integer,null" }];
                  return false;
                }
                if (errors === _errs11) {
                  if (typeof data4 == "number" && isFinite(data4)) {
                    if (data4 > 1e6 || isNaN(data4)) {
                      validate10.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" }];
                      return false;
                    } else {
                      if (data4 < 0 || isNaN(data4)) {
                        validate10.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                        return false;
                      }
                    }
                  }
                }
                var valid0 = _errs11 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.sort_by !== void 0) {
                  let data5 = data.sort_by;
                  const _errs13 = errors;
                  if (!(data5 === "assistant_id" || data5 === "created_at" || data5 === "updated_at" || data5 === "name" || data5 === "graph_id" || data5 === null)) {
                    validate10.errors = [{ instancePath: instancePath + "/sort_by", schemaPath: "#/properties/sort_by/enum", keyword: "enum", params: { allowedValues: schema11.properties.sort_by.enum }, message: "must be equal to one of the allowed values" }];
                    return false;
                  }
                  var valid0 = _errs13 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.sort_order !== void 0) {
                    let data6 = data.sort_order;
                    const _errs14 = errors;
                    if (!(data6 === "asc" || data6 === "desc" || data6 === null)) {
                      validate10.errors = [{ instancePath: instancePath + "/sort_order", schemaPath: "#/properties/sort_order/enum", keyword: "enum", params: { allowedValues: schema11.properties.sort_order.enum }, message: "must be equal to one of the allowed values" }];
                      return false;
                    }
                    var valid0 = _errs14 === errors;
                  } else {
                    var valid0 = true;
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate10.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate10.errors = vErrors;
  return errors === 0;
}
var AssistantParams = validate11;
var func2 = require_ucs2length().default;
function validate11(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.assistant_id === void 0 && (missing0 = "assistant_id")) {
        validate11.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.assistant_id !== void 0) {
          let data0 = data.assistant_id;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (typeof data0 === "string") {
              if (func2(data0) < 1) {
                validate11.errors = [{ instancePath: instancePath + "/assistant_id", schemaPath: "#/properties/assistant_id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
                return false;
              }
            } else {
              validate11.errors = [{ instancePath: instancePath + "/assistant_id", schemaPath: "#/properties/assistant_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
              return false;
            }
          }
        }
      }
    } else {
      validate11.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate11.errors = vErrors;
  return errors === 0;
}
var CheckpointParams = validate12;
var formats0 = /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
function validate12(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.thread_id === void 0 && (missing0 = "thread_id") || data.checkpoint_id === void 0 && (missing0 = "checkpoint_id")) {
        validate12.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.thread_id !== void 0) {
          let data0 = data.thread_id;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (errors === _errs1) {
              if (typeof data0 === "string") {
                if (!formats0.test(data0)) {
                  validate12.errors = [{ instancePath: instancePath + "/thread_id", schemaPath: "#/properties/thread_id/format", keyword: "format", params: { format: "uuid" }, message: 'must match format "uuid"' }];
                  return false;
                }
              } else {
                validate12.errors = [{ instancePath: instancePath + "/thread_id", schemaPath: "#/properties/thread_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
            }
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.checkpoint_id !== void 0) {
            let data1 = data.checkpoint_id;
            const _errs3 = errors;
            if (errors === _errs3) {
              if (typeof data1 === "string") {
                if (func2(data1) < 1) {
                  validate12.errors = [{ instancePath: instancePath + "/checkpoint_id", schemaPath: "#/properties/checkpoint_id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
                  return false;
                }
              } else {
                validate12.errors = [{ instancePath: instancePath + "/checkpoint_id", schemaPath: "#/properties/checkpoint_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
        }
      }
    } else {
      validate12.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate12.errors = vErrors;
  return errors === 0;
}
var ComparativeParams = validate13;
function validate13(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.comparative_experiment_id === void 0 && (missing0 = "comparative_experiment_id")) {
        validate13.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.comparative_experiment_id !== void 0) {
          let data0 = data.comparative_experiment_id;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (errors === _errs1) {
              if (typeof data0 === "string") {
                if (!formats0.test(data0)) {
                  validate13.errors = [{ instancePath: instancePath + "/comparative_experiment_id", schemaPath: "#/properties/comparative_experiment_id/format", keyword: "format", params: { format: "uuid" }, message: 'must match format "uuid"' }];
                  return false;
                }
              } else {
                validate13.errors = [{ instancePath: instancePath + "/comparative_experiment_id", schemaPath: "#/properties/comparative_experiment_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
            }
          }
        }
      }
    } else {
      validate13.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate13.errors = vErrors;
  return errors === 0;
}
var DatasetParams = validate14;
function validate14(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.dataset_id === void 0 && (missing0 = "dataset_id")) {
        validate14.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.dataset_id !== void 0) {
          let data0 = data.dataset_id;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (errors === _errs1) {
              if (typeof data0 === "string") {
                if (!formats0.test(data0)) {
                  validate14.errors = [{ instancePath: instancePath + "/dataset_id", schemaPath: "#/properties/dataset_id/format", keyword: "format", params: { format: "uuid" }, message: 'must match format "uuid"' }];
                  return false;
                }
              } else {
                validate14.errors = [{ instancePath: instancePath + "/dataset_id", schemaPath: "#/properties/dataset_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
            }
          }
        }
      }
    } else {
      validate14.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate14.errors = vErrors;
  return errors === 0;
}
var EvaluationRunParams = validate15;
function validate15(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.run_id === void 0 && (missing0 = "run_id")) {
        validate15.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.run_id !== void 0) {
          let data0 = data.run_id;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (errors === _errs1) {
              if (typeof data0 === "string") {
                if (!formats0.test(data0)) {
                  validate15.errors = [{ instancePath: instancePath + "/run_id", schemaPath: "#/properties/run_id/format", keyword: "format", params: { format: "uuid" }, message: 'must match format "uuid"' }];
                  return false;
                }
              } else {
                validate15.errors = [{ instancePath: instancePath + "/run_id", schemaPath: "#/properties/run_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
            }
          }
        }
      }
    } else {
      validate15.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate15.errors = vErrors;
  return errors === 0;
}
var ExampleParams = validate16;
function validate16(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.example_id === void 0 && (missing0 = "example_id")) {
        validate16.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.example_id !== void 0) {
          let data0 = data.example_id;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (errors === _errs1) {
              if (typeof data0 === "string") {
                if (!formats0.test(data0)) {
                  validate16.errors = [{ instancePath: instancePath + "/example_id", schemaPath: "#/properties/example_id/format", keyword: "format", params: { format: "uuid" }, message: 'must match format "uuid"' }];
                  return false;
                }
              } else {
                validate16.errors = [{ instancePath: instancePath + "/example_id", schemaPath: "#/properties/example_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
            }
          }
        }
      }
    } else {
      validate16.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate16.errors = vErrors;
  return errors === 0;
}
var FeedbackParams = validate17;
function validate17(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.feedback_id === void 0 && (missing0 = "feedback_id")) {
        validate17.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.feedback_id !== void 0) {
          let data0 = data.feedback_id;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (errors === _errs1) {
              if (typeof data0 === "string") {
                if (!formats0.test(data0)) {
                  validate17.errors = [{ instancePath: instancePath + "/feedback_id", schemaPath: "#/properties/feedback_id/format", keyword: "format", params: { format: "uuid" }, message: 'must match format "uuid"' }];
                  return false;
                }
              } else {
                validate17.errors = [{ instancePath: instancePath + "/feedback_id", schemaPath: "#/properties/feedback_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
            }
          }
        }
      }
    } else {
      validate17.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate17.errors = vErrors;
  return errors === 0;
}
var RunParams = validate18;
function validate18(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.thread_id === void 0 && (missing0 = "thread_id") || data.run_id === void 0 && (missing0 = "run_id")) {
        validate18.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.thread_id !== void 0) {
          let data0 = data.thread_id;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (errors === _errs1) {
              if (typeof data0 === "string") {
                if (!formats0.test(data0)) {
                  validate18.errors = [{ instancePath: instancePath + "/thread_id", schemaPath: "#/properties/thread_id/format", keyword: "format", params: { format: "uuid" }, message: 'must match format "uuid"' }];
                  return false;
                }
              } else {
                validate18.errors = [{ instancePath: instancePath + "/thread_id", schemaPath: "#/properties/thread_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
            }
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.run_id !== void 0) {
            let data1 = data.run_id;
            const _errs3 = errors;
            if (errors === _errs3) {
              if (errors === _errs3) {
                if (typeof data1 === "string") {
                  if (!formats0.test(data1)) {
                    validate18.errors = [{ instancePath: instancePath + "/run_id", schemaPath: "#/properties/run_id/format", keyword: "format", params: { format: "uuid" }, message: 'must match format "uuid"' }];
                    return false;
                  }
                } else {
                  validate18.errors = [{ instancePath: instancePath + "/run_id", schemaPath: "#/properties/run_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                  return false;
                }
              }
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
        }
      }
    } else {
      validate18.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate18.errors = vErrors;
  return errors === 0;
}
var SessionParams = validate19;
function validate19(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.session_id === void 0 && (missing0 = "session_id")) {
        validate19.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.session_id !== void 0) {
          let data0 = data.session_id;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (errors === _errs1) {
              if (typeof data0 === "string") {
                if (!formats0.test(data0)) {
                  validate19.errors = [{ instancePath: instancePath + "/session_id", schemaPath: "#/properties/session_id/format", keyword: "format", params: { format: "uuid" }, message: 'must match format "uuid"' }];
                  return false;
                }
              } else {
                validate19.errors = [{ instancePath: instancePath + "/session_id", schemaPath: "#/properties/session_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
            }
          }
        }
      }
    } else {
      validate19.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate19.errors = vErrors;
  return errors === 0;
}
var ThreadParams = validate20;
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.thread_id === void 0 && (missing0 = "thread_id")) {
        validate20.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.thread_id !== void 0) {
          let data0 = data.thread_id;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (errors === _errs1) {
              if (typeof data0 === "string") {
                if (!formats0.test(data0)) {
                  validate20.errors = [{ instancePath: instancePath + "/thread_id", schemaPath: "#/properties/thread_id/format", keyword: "format", params: { format: "uuid" }, message: 'must match format "uuid"' }];
                  return false;
                }
              } else {
                validate20.errors = [{ instancePath: instancePath + "/thread_id", schemaPath: "#/properties/thread_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
            }
          }
        }
      }
    } else {
      validate20.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate20.errors = vErrors;
  return errors === 0;
}
var ComparativeCreate = validate21;
var schema22 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "datasets/comparative-create", "title": "ComparativeCreate", "description": "Experiments that are judged against each other.", "type": "object", "properties": { "id": { "type": ["string", "null"] }, "experiment_ids": { "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": 1e3 }, "reference_dataset_id": { "type": ["string", "null"] }, "name": { "type": ["string", "null"] }, "description": { "type": ["string", "null"] }, "created_at": { "type": ["string", "null"] }, "modified_at": { "type": ["string", "null"] }, "extra": { "type": ["object", "null"], "additionalProperties": true } }, "required": ["experiment_ids"] };
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.experiment_ids === void 0 && (missing0 = "experiment_ids")) {
        validate21.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.id !== void 0) {
          let data0 = data.id;
          const _errs1 = errors;
          if (typeof data0 !== "string" && data0 !== null) {
            validate21.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: schema22.properties.id.type }, message: "must be string,null" }];
            return false;
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.experiment_ids !== void 0) {
            let data1 = data.experiment_ids;
            const _errs3 = errors;
            if (errors === _errs3) {
              if (Array.isArray(data1)) {
                if (data1.length > 1e3) {
                  validate21.errors = [{ instancePath: instancePath + "/experiment_ids", schemaPath: "#/properties/experiment_ids/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
                  return false;
                } else {
                  if (data1.length < 1) {
                    validate21.errors = [{ instancePath: instancePath + "/experiment_ids", schemaPath: "#/properties/experiment_ids/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" }];
                    return false;
                  } else {
                    var valid1 = true;
                    const len0 = data1.length;
                    for (let i0 = 0; i0 < len0; i0++) {
                      const _errs5 = errors;
                      if (typeof data1[i0] !== "string") {
                        validate21.errors = [{ instancePath: instancePath + "/experiment_ids/" + i0, schemaPath: "#/properties/experiment_ids/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                        return false;
                      }
                      var valid1 = _errs5 === errors;
                      if (!valid1) {
                        break;
                      }
                    }
                  }
                }
              } else {
                validate21.errors = [{ instancePath: instancePath + "/experiment_ids", schemaPath: "#/properties/experiment_ids/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                return false;
              }
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.reference_dataset_id !== void 0) {
              let data3 = data.reference_dataset_id;
              const _errs7 = errors;
              if (typeof data3 !== "string" && data3 !== null) {
                validate21.errors = [{ instancePath: instancePath + "/reference_dataset_id", schemaPath: "#/properties/reference_dataset_id/type", keyword: "type", params: { type: schema22.properties.reference_dataset_id.type }, message: "must be string,null" }];
                return false;
              }
              var valid0 = _errs7 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.name !== void 0) {
                let data4 = data.name;
                const _errs9 = errors;
                if (typeof data4 !== "string" && data4 !== null) {
                  validate21.errors = [{ instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: schema22.properties.name.type }, message: "must be string,null" }];
                  return false;
                }
                var valid0 = _errs9 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.description !== void 0) {
                  let data5 = data.description;
                  const _errs11 = errors;
                  if (typeof data5 !== "string" && data5 !== null) {
                    validate21.errors = [{ instancePath: instancePath + "/description", schemaPath: "#/properties/description/type", keyword: "type", params: { type: schema22.properties.description.type }, message: "must be string,null" }];
                    return false;
                  }
                  var valid0 = _errs11 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.created_at !== void 0) {
                    let data6 = data.created_at;
                    const _errs13 = errors;
                    if (typeof data6 !== "string" && data6 !== null) {
                      validate21.errors = [{ instancePath: instancePath + "/created_at", schemaPath: "#/properties/created_at/type", keyword: "type", params: { type: schema22.properties.created_at.type }, message: "must be string,null" }];
                      return false;
                    }
                    var valid0 = _errs13 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.modified_at !== void 0) {
                      let data7 = data.modified_at;
                      const _errs15 = errors;
                      if (typeof data7 !== "string" && data7 !== null) {
                        validate21.errors = [{ instancePath: instancePath + "/modified_at", schemaPath: "#/properties/modified_at/type", keyword: "type", params: { type: schema22.properties.modified_at.type }, message: "must be string,null" }];
                        return false;
                      }
                      var valid0 = _errs15 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.extra !== void 0) {
                        let data8 = data.extra;
                        const _errs17 = errors;
                        if (!(data8 && typeof data8 == "object" && !Array.isArray(data8)) && data8 !== null) {
                          validate21.errors = [{ instancePath: instancePath + "/extra", schemaPath: "#/properties/extra/type", keyword: "type", params: { type: schema22.properties.extra.type }, message: "must be object,null" }];
                          return false;
                        }
                        var valid0 = _errs17 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate21.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate21.errors = vErrors;
  return errors === 0;
}
var ComparativeListQuery = validate22;
function validate22(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.id !== void 0) {
        let data0 = data.id;
        const _errs1 = errors;
        if (errors === _errs1) {
          if (Array.isArray(data0)) {
            if (data0.length > 1e3) {
              validate22.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
              return false;
            } else {
              var valid1 = true;
              const len0 = data0.length;
              for (let i0 = 0; i0 < len0; i0++) {
                const _errs4 = errors;
                if (typeof data0[i0] !== "string") {
                  validate22.errors = [{ instancePath: instancePath + "/id/" + i0, schemaPath: "#/properties/id/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                  return false;
                }
                var valid1 = _errs4 === errors;
                if (!valid1) {
                  break;
                }
              }
            }
          } else {
            validate22.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
            return false;
          }
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.name !== void 0) {
          const _errs6 = errors;
          if (typeof data.name !== "string") {
            validate22.errors = [{ instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
            return false;
          }
          var valid0 = _errs6 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.name_contains !== void 0) {
            const _errs8 = errors;
            if (typeof data.name_contains !== "string") {
              validate22.errors = [{ instancePath: instancePath + "/name_contains", schemaPath: "#/properties/name_contains/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
              return false;
            }
            var valid0 = _errs8 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.offset !== void 0) {
              let data4 = data.offset;
              const _errs10 = errors;
              if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4))) {
                validate22.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
                return false;
              }
              if (errors === _errs10) {
                if (typeof data4 == "number" && isFinite(data4)) {
                  if (data4 < 0 || isNaN(data4)) {
                    validate22.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                    return false;
                  }
                }
              }
              var valid0 = _errs10 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.limit !== void 0) {
                let data5 = data.limit;
                const _errs12 = errors;
                if (!(typeof data5 == "number" && (!(data5 % 1) && !isNaN(data5)) && isFinite(data5))) {
                  validate22.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
                  return false;
                }
                if (errors === _errs12) {
                  if (typeof data5 == "number" && isFinite(data5)) {
                    if (data5 > 1e4 || isNaN(data5)) {
                      validate22.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" }];
                      return false;
                    } else {
                      if (data5 < 1 || isNaN(data5)) {
                        validate22.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                        return false;
                      }
                    }
                  }
                }
                var valid0 = _errs12 === errors;
              } else {
                var valid0 = true;
              }
            }
          }
        }
      }
    } else {
      validate22.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate22.errors = vErrors;
  return errors === 0;
}
var ComparisonQuery = validate23;
var schema24 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "datasets/comparison", "title": "ComparisonQuery", "description": "Experiments of one dataset, compared pair by pair with a baseline.", "type": "object", "properties": { "experiment_ids": { "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": 50, "description": "Ids of experiments of this dataset." }, "baseline_id": { "type": ["string", "null"], "description": "One of them; without it the dataset's baseline, else the first." }, "feedback_key": { "type": ["string", "null"], "description": "The score that `only` and `sort_by` go by; the first in the alphabet without it." }, "only": { "enum": ["improved", "regressed", "unchanged", "changed", "errors", null], "description": "Examples of which at least one experiment did so against the baseline." }, "sort_by": { "enum": ["example", "difference", null], "description": "difference: the largest regression first." }, "sort_order": { "enum": ["asc", "desc", null] }, "confidence": { "type": ["number", "null"], "description": "Of the intervals; 0.95 without it.", "exclusiveMinimum": 0.5, "exclusiveMaximum": 1 }, "cursor": { "type": ["string", "null"] }, "limit": { "type": ["integer", "null"], "description": "50 without it.", "minimum": 1, "maximum": 1e3 } }, "required": ["experiment_ids"] };
function validate23(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.experiment_ids === void 0 && (missing0 = "experiment_ids")) {
        validate23.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.experiment_ids !== void 0) {
          let data0 = data.experiment_ids;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (Array.isArray(data0)) {
              if (data0.length > 50) {
                validate23.errors = [{ instancePath: instancePath + "/experiment_ids", schemaPath: "#/properties/experiment_ids/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" }];
                return false;
              } else {
                if (data0.length < 1) {
                  validate23.errors = [{ instancePath: instancePath + "/experiment_ids", schemaPath: "#/properties/experiment_ids/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" }];
                  return false;
                } else {
                  var valid1 = true;
                  const len0 = data0.length;
                  for (let i0 = 0; i0 < len0; i0++) {
                    const _errs3 = errors;
                    if (typeof data0[i0] !== "string") {
                      validate23.errors = [{ instancePath: instancePath + "/experiment_ids/" + i0, schemaPath: "#/properties/experiment_ids/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                      return false;
                    }
                    var valid1 = _errs3 === errors;
                    if (!valid1) {
                      break;
                    }
                  }
                }
              }
            } else {
              validate23.errors = [{ instancePath: instancePath + "/experiment_ids", schemaPath: "#/properties/experiment_ids/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
              return false;
            }
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.baseline_id !== void 0) {
            let data2 = data.baseline_id;
            const _errs5 = errors;
            if (typeof data2 !== "string" && data2 !== null) {
              validate23.errors = [{ instancePath: instancePath + "/baseline_id", schemaPath: "#/properties/baseline_id/type", keyword: "type", params: { type: schema24.properties.baseline_id.type }, message: "must be string,null" }];
              return false;
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.feedback_key !== void 0) {
              let data3 = data.feedback_key;
              const _errs7 = errors;
              if (typeof data3 !== "string" && data3 !== null) {
                validate23.errors = [{ instancePath: instancePath + "/feedback_key", schemaPath: "#/properties/feedback_key/type", keyword: "type", params: { type: schema24.properties.feedback_key.type }, message: "must be string,null" }];
                return false;
              }
              var valid0 = _errs7 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.only !== void 0) {
                let data4 = data.only;
                const _errs9 = errors;
                if (!(data4 === "improved" || data4 === "regressed" || data4 === "unchanged" || data4 === "changed" || data4 === "errors" || data4 === null)) {
                  validate23.errors = [{ instancePath: instancePath + "/only", schemaPath: "#/properties/only/enum", keyword: "enum", params: { allowedValues: schema24.properties.only.enum }, message: "must be equal to one of the allowed values" }];
                  return false;
                }
                var valid0 = _errs9 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.sort_by !== void 0) {
                  let data5 = data.sort_by;
                  const _errs10 = errors;
                  if (!(data5 === "example" || data5 === "difference" || data5 === null)) {
                    validate23.errors = [{ instancePath: instancePath + "/sort_by", schemaPath: "#/properties/sort_by/enum", keyword: "enum", params: { allowedValues: schema24.properties.sort_by.enum }, message: "must be equal to one of the allowed values" }];
                    return false;
                  }
                  var valid0 = _errs10 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.sort_order !== void 0) {
                    let data6 = data.sort_order;
                    const _errs11 = errors;
                    if (!(data6 === "asc" || data6 === "desc" || data6 === null)) {
                      validate23.errors = [{ instancePath: instancePath + "/sort_order", schemaPath: "#/properties/sort_order/enum", keyword: "enum", params: { allowedValues: schema24.properties.sort_order.enum }, message: "must be equal to one of the allowed values" }];
                      return false;
                    }
                    var valid0 = _errs11 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.confidence !== void 0) {
                      let data7 = data.confidence;
                      const _errs12 = errors;
                      if (!(typeof data7 == "number" && isFinite(data7)) && data7 !== null) {
                        validate23.errors = [{ instancePath: instancePath + "/confidence", schemaPath: "#/properties/confidence/type", keyword: "type", params: { type: schema24.properties.confidence.type }, message: "must be number,null" }];
                        return false;
                      }
                      if (errors === _errs12) {
                        if (typeof data7 == "number" && isFinite(data7)) {
                          if (data7 >= 1 || isNaN(data7)) {
                            validate23.errors = [{ instancePath: instancePath + "/confidence", schemaPath: "#/properties/confidence/exclusiveMaximum", keyword: "exclusiveMaximum", params: { comparison: "<", limit: 1 }, message: "must be < 1" }];
                            return false;
                          } else {
                            if (data7 <= 0.5 || isNaN(data7)) {
                              validate23.errors = [{ instancePath: instancePath + "/confidence", schemaPath: "#/properties/confidence/exclusiveMinimum", keyword: "exclusiveMinimum", params: { comparison: ">", limit: 0.5 }, message: "must be > 0.5" }];
                              return false;
                            }
                          }
                        }
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.cursor !== void 0) {
                        let data8 = data.cursor;
                        const _errs14 = errors;
                        if (typeof data8 !== "string" && data8 !== null) {
                          validate23.errors = [{ instancePath: instancePath + "/cursor", schemaPath: "#/properties/cursor/type", keyword: "type", params: { type: schema24.properties.cursor.type }, message: "must be string,null" }];
                          return false;
                        }
                        var valid0 = _errs14 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.limit !== void 0) {
                          let data9 = data.limit;
                          const _errs16 = errors;
                          if (!(typeof data9 == "number" && (!(data9 % 1) && !isNaN(data9)) && isFinite(data9)) && data9 !== null) {
                            validate23.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: schema24.properties.limit.type }, message: "must be integer,null" }];
                            return false;
                          }
                          if (errors === _errs16) {
                            if (typeof data9 == "number" && isFinite(data9)) {
                              if (data9 > 1e3 || isNaN(data9)) {
                                validate23.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" }];
                                return false;
                              } else {
                                if (data9 < 1 || isNaN(data9)) {
                                  validate23.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                                  return false;
                                }
                              }
                            }
                          }
                          var valid0 = _errs16 === errors;
                        } else {
                          var valid0 = true;
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate23.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate23.errors = vErrors;
  return errors === 0;
}
var DatasetClone = validate24;
var schema25 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "datasets/dataset-clone", "title": "DatasetClone", "description": "Copies examples from one dataset to another.", "type": "object", "properties": { "source_dataset_id": { "type": "string" }, "target_dataset_id": { "type": "string" }, "as_of": { "type": ["string", "null"] }, "split": { "anyOf": [{ "type": "null" }, { "type": "string" }, { "type": "array", "items": { "type": "string" }, "maxItems": 100 }] }, "examples": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" }, "maxItems": 1e4 }] } }, "required": ["source_dataset_id", "target_dataset_id"] };
function validate24(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.source_dataset_id === void 0 && (missing0 = "source_dataset_id") || data.target_dataset_id === void 0 && (missing0 = "target_dataset_id")) {
        validate24.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.source_dataset_id !== void 0) {
          const _errs1 = errors;
          if (typeof data.source_dataset_id !== "string") {
            validate24.errors = [{ instancePath: instancePath + "/source_dataset_id", schemaPath: "#/properties/source_dataset_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
            return false;
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.target_dataset_id !== void 0) {
            const _errs3 = errors;
            if (typeof data.target_dataset_id !== "string") {
              validate24.errors = [{ instancePath: instancePath + "/target_dataset_id", schemaPath: "#/properties/target_dataset_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
              return false;
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.as_of !== void 0) {
              let data2 = data.as_of;
              const _errs5 = errors;
              if (typeof data2 !== "string" && data2 !== null) {
                validate24.errors = [{ instancePath: instancePath + "/as_of", schemaPath: "#/properties/as_of/type", keyword: "type", params: { type: schema25.properties.as_of.type }, message: "must be string,null" }];
                return false;
              }
              var valid0 = _errs5 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.split !== void 0) {
                let data3 = data.split;
                const _errs7 = errors;
                const _errs8 = errors;
                let valid1 = false;
                const _errs9 = errors;
                if (data3 !== null) {
                  const err0 = { instancePath: instancePath + "/split", schemaPath: "#/properties/split/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                  if (vErrors === null) {
                    vErrors = [err0];
                  } else {
                    vErrors.push(err0);
                  }
                  errors++;
                }
                var _valid0 = _errs9 === errors;
                valid1 = valid1 || _valid0;
                if (!valid1) {
                  const _errs11 = errors;
                  if (typeof data3 !== "string") {
                    const err1 = { instancePath: instancePath + "/split", schemaPath: "#/properties/split/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err1];
                    } else {
                      vErrors.push(err1);
                    }
                    errors++;
                  }
                  var _valid0 = _errs11 === errors;
                  valid1 = valid1 || _valid0;
                  if (!valid1) {
                    const _errs13 = errors;
                    if (errors === _errs13) {
                      if (Array.isArray(data3)) {
                        if (data3.length > 100) {
                          const err2 = { instancePath: instancePath + "/split", schemaPath: "#/properties/split/anyOf/2/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
                          if (vErrors === null) {
                            vErrors = [err2];
                          } else {
                            vErrors.push(err2);
                          }
                          errors++;
                        } else {
                          var valid2 = true;
                          const len0 = data3.length;
                          for (let i0 = 0; i0 < len0; i0++) {
                            const _errs15 = errors;
                            if (typeof data3[i0] !== "string") {
                              const err3 = { instancePath: instancePath + "/split/" + i0, schemaPath: "#/properties/split/anyOf/2/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                              if (vErrors === null) {
                                vErrors = [err3];
                              } else {
                                vErrors.push(err3);
                              }
                              errors++;
                            }
                            var valid2 = _errs15 === errors;
                            if (!valid2) {
                              break;
                            }
                          }
                        }
                      } else {
                        const err4 = { instancePath: instancePath + "/split", schemaPath: "#/properties/split/anyOf/2/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                        if (vErrors === null) {
                          vErrors = [err4];
                        } else {
                          vErrors.push(err4);
                        }
                        errors++;
                      }
                    }
                    var _valid0 = _errs13 === errors;
                    valid1 = valid1 || _valid0;
                  }
                }
                if (!valid1) {
                  const err5 = { instancePath: instancePath + "/split", schemaPath: "#/properties/split/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                  if (vErrors === null) {
                    vErrors = [err5];
                  } else {
                    vErrors.push(err5);
                  }
                  errors++;
                  validate24.errors = vErrors;
                  return false;
                } else {
                  errors = _errs8;
                  if (vErrors !== null) {
                    if (_errs8) {
                      vErrors.length = _errs8;
                    } else {
                      vErrors = null;
                    }
                  }
                }
                var valid0 = _errs7 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.examples !== void 0) {
                  let data5 = data.examples;
                  const _errs17 = errors;
                  const _errs18 = errors;
                  let valid3 = false;
                  const _errs19 = errors;
                  if (data5 !== null) {
                    const err6 = { instancePath: instancePath + "/examples", schemaPath: "#/properties/examples/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                    if (vErrors === null) {
                      vErrors = [err6];
                    } else {
                      vErrors.push(err6);
                    }
                    errors++;
                  }
                  var _valid1 = _errs19 === errors;
                  valid3 = valid3 || _valid1;
                  if (!valid3) {
                    const _errs21 = errors;
                    if (errors === _errs21) {
                      if (Array.isArray(data5)) {
                        if (data5.length > 1e4) {
                          const err7 = { instancePath: instancePath + "/examples", schemaPath: "#/properties/examples/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e4 }, message: "must NOT have more than 10000 items" };
                          if (vErrors === null) {
                            vErrors = [err7];
                          } else {
                            vErrors.push(err7);
                          }
                          errors++;
                        } else {
                          var valid4 = true;
                          const len1 = data5.length;
                          for (let i1 = 0; i1 < len1; i1++) {
                            const _errs23 = errors;
                            if (typeof data5[i1] !== "string") {
                              const err8 = { instancePath: instancePath + "/examples/" + i1, schemaPath: "#/properties/examples/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                              if (vErrors === null) {
                                vErrors = [err8];
                              } else {
                                vErrors.push(err8);
                              }
                              errors++;
                            }
                            var valid4 = _errs23 === errors;
                            if (!valid4) {
                              break;
                            }
                          }
                        }
                      } else {
                        const err9 = { instancePath: instancePath + "/examples", schemaPath: "#/properties/examples/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                        if (vErrors === null) {
                          vErrors = [err9];
                        } else {
                          vErrors.push(err9);
                        }
                        errors++;
                      }
                    }
                    var _valid1 = _errs21 === errors;
                    valid3 = valid3 || _valid1;
                  }
                  if (!valid3) {
                    const err10 = { instancePath: instancePath + "/examples", schemaPath: "#/properties/examples/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                    if (vErrors === null) {
                      vErrors = [err10];
                    } else {
                      vErrors.push(err10);
                    }
                    errors++;
                    validate24.errors = vErrors;
                    return false;
                  } else {
                    errors = _errs18;
                    if (vErrors !== null) {
                      if (_errs18) {
                        vErrors.length = _errs18;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                  var valid0 = _errs17 === errors;
                } else {
                  var valid0 = true;
                }
              }
            }
          }
        }
      }
    } else {
      validate24.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate24.errors = vErrors;
  return errors === 0;
}
var DatasetCreate = validate25;
var schema26 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "datasets/dataset-create", "title": "DatasetCreate", "description": "A dataset that is filled example by example.", "type": "object", "properties": { "name": { "type": "string", "minLength": 1 }, "description": { "type": ["string", "null"] }, "data_type": { "enum": ["kv", "llm", "chat", null] }, "inputs_schema_definition": { "type": ["object", "null"], "additionalProperties": true }, "outputs_schema_definition": { "type": ["object", "null"], "additionalProperties": true }, "externally_managed": { "type": ["boolean", "null"] }, "transformations": { "type": ["array", "null"] }, "id": { "type": ["string", "null"], "description": "UUID; made when it is not given." }, "created_at": { "type": ["string", "null"] }, "extra": { "type": ["object", "null"], "description": "`metadata` in it becomes the dataset's.", "additionalProperties": true }, "metadata": { "type": ["object", "null"], "additionalProperties": true } }, "required": ["name"] };
function validate25(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.name === void 0 && (missing0 = "name")) {
        validate25.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.name !== void 0) {
          let data0 = data.name;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (typeof data0 === "string") {
              if (func2(data0) < 1) {
                validate25.errors = [{ instancePath: instancePath + "/name", schemaPath: "#/properties/name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
                return false;
              }
            } else {
              validate25.errors = [{ instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
              return false;
            }
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.description !== void 0) {
            let data1 = data.description;
            const _errs3 = errors;
            if (typeof data1 !== "string" && data1 !== null) {
              validate25.errors = [{ instancePath: instancePath + "/description", schemaPath: "#/properties/description/type", keyword: "type", params: { type: schema26.properties.description.type }, message: "must be string,null" }];
              return false;
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.data_type !== void 0) {
              let data2 = data.data_type;
              const _errs5 = errors;
              if (!(data2 === "kv" || data2 === "llm" || data2 === "chat" || data2 === null)) {
                validate25.errors = [{ instancePath: instancePath + "/data_type", schemaPath: "#/properties/data_type/enum", keyword: "enum", params: { allowedValues: schema26.properties.data_type.enum }, message: "must be equal to one of the allowed values" }];
                return false;
              }
              var valid0 = _errs5 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.inputs_schema_definition !== void 0) {
                let data3 = data.inputs_schema_definition;
                const _errs6 = errors;
                if (!(data3 && typeof data3 == "object" && !Array.isArray(data3)) && data3 !== null) {
                  validate25.errors = [{ instancePath: instancePath + "/inputs_schema_definition", schemaPath: "#/properties/inputs_schema_definition/type", keyword: "type", params: { type: schema26.properties.inputs_schema_definition.type }, message: "must be object,null" }];
                  return false;
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.outputs_schema_definition !== void 0) {
                  let data4 = data.outputs_schema_definition;
                  const _errs9 = errors;
                  if (!(data4 && typeof data4 == "object" && !Array.isArray(data4)) && data4 !== null) {
                    validate25.errors = [{ instancePath: instancePath + "/outputs_schema_definition", schemaPath: "#/properties/outputs_schema_definition/type", keyword: "type", params: { type: schema26.properties.outputs_schema_definition.type }, message: "must be object,null" }];
                    return false;
                  }
                  var valid0 = _errs9 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.externally_managed !== void 0) {
                    let data5 = data.externally_managed;
                    const _errs12 = errors;
                    if (typeof data5 !== "boolean" && data5 !== null) {
                      validate25.errors = [{ instancePath: instancePath + "/externally_managed", schemaPath: "#/properties/externally_managed/type", keyword: "type", params: { type: schema26.properties.externally_managed.type }, message: "must be boolean,null" }];
                      return false;
                    }
                    var valid0 = _errs12 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.transformations !== void 0) {
                      let data6 = data.transformations;
                      const _errs14 = errors;
                      if (!Array.isArray(data6) && data6 !== null) {
                        validate25.errors = [{ instancePath: instancePath + "/transformations", schemaPath: "#/properties/transformations/type", keyword: "type", params: { type: schema26.properties.transformations.type }, message: "must be array,null" }];
                        return false;
                      }
                      var valid0 = _errs14 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.id !== void 0) {
                        let data7 = data.id;
                        const _errs16 = errors;
                        if (typeof data7 !== "string" && data7 !== null) {
                          validate25.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: schema26.properties.id.type }, message: "must be string,null" }];
                          return false;
                        }
                        var valid0 = _errs16 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.created_at !== void 0) {
                          let data8 = data.created_at;
                          const _errs18 = errors;
                          if (typeof data8 !== "string" && data8 !== null) {
                            validate25.errors = [{ instancePath: instancePath + "/created_at", schemaPath: "#/properties/created_at/type", keyword: "type", params: { type: schema26.properties.created_at.type }, message: "must be string,null" }];
                            return false;
                          }
                          var valid0 = _errs18 === errors;
                        } else {
                          var valid0 = true;
                        }
                        if (valid0) {
                          if (data.extra !== void 0) {
                            let data9 = data.extra;
                            const _errs20 = errors;
                            if (!(data9 && typeof data9 == "object" && !Array.isArray(data9)) && data9 !== null) {
                              validate25.errors = [{ instancePath: instancePath + "/extra", schemaPath: "#/properties/extra/type", keyword: "type", params: { type: schema26.properties.extra.type }, message: "must be object,null" }];
                              return false;
                            }
                            var valid0 = _errs20 === errors;
                          } else {
                            var valid0 = true;
                          }
                          if (valid0) {
                            if (data.metadata !== void 0) {
                              let data10 = data.metadata;
                              const _errs23 = errors;
                              if (!(data10 && typeof data10 == "object" && !Array.isArray(data10)) && data10 !== null) {
                                validate25.errors = [{ instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: schema26.properties.metadata.type }, message: "must be object,null" }];
                                return false;
                              }
                              var valid0 = _errs23 === errors;
                            } else {
                              var valid0 = true;
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate25.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate25.errors = vErrors;
  return errors === 0;
}
var DatasetExportQuery = validate26;
var schema27 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "datasets/dataset-export", "title": "DatasetExportQuery", "description": "A dataset as a file.", "type": "object", "properties": { "format": { "enum": ["jsonl", "csv"], "default": "jsonl", "description": "jsonl has everything and can be imported; csv is flat, for spreadsheets." }, "as_of": { "type": "string", "description": "A time or a tag; latest without it." } } };
function validate26(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.format === void 0) {
        data.format = "jsonl";
      }
      let data0 = data.format;
      const _errs1 = errors;
      if (!(data0 === "jsonl" || data0 === "csv")) {
        validate26.errors = [{ instancePath: instancePath + "/format", schemaPath: "#/properties/format/enum", keyword: "enum", params: { allowedValues: schema27.properties.format.enum }, message: "must be equal to one of the allowed values" }];
        return false;
      }
      var valid0 = _errs1 === errors;
      if (valid0) {
        if (data.as_of !== void 0) {
          const _errs2 = errors;
          if (typeof data.as_of !== "string") {
            validate26.errors = [{ instancePath: instancePath + "/as_of", schemaPath: "#/properties/as_of/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
            return false;
          }
          var valid0 = _errs2 === errors;
        } else {
          var valid0 = true;
        }
      }
    } else {
      validate26.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate26.errors = vErrors;
  return errors === 0;
}
var DatasetFileQuery = validate27;
function validate27(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.as_of !== void 0) {
        if (typeof data.as_of !== "string") {
          validate27.errors = [{ instancePath: instancePath + "/as_of", schemaPath: "#/properties/as_of/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
          return false;
        }
      }
    } else {
      validate27.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate27.errors = vErrors;
  return errors === 0;
}
var DatasetListQuery = validate28;
var schema29 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "datasets/dataset-list", "title": "DatasetListQuery", "description": "Which datasets, and in what order.", "type": "object", "properties": { "id": { "type": "array", "items": { "type": "string" }, "maxItems": 1e3, "$comment": "repeated" }, "name": { "type": "string" }, "name_contains": { "type": "string" }, "data_type": { "type": "array", "items": { "type": "string" }, "maxItems": 1e3, "$comment": "repeated" }, "metadata": { "type": "object", "additionalProperties": true }, "exclude": { "type": "array", "items": { "type": "string" }, "maxItems": 1e3, "$comment": "repeated" }, "sort_by": { "type": "string", "enum": ["name", "created_at", "last_session_start_time", "example_count", "session_count", "modified_at"] }, "sort_by_desc": { "type": "boolean" }, "offset": { "type": "integer", "description": "Rows to leave out first.", "minimum": 0 }, "limit": { "type": "integer", "description": "100 without it.", "minimum": 1, "maximum": 1e4 } } };
function validate28(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.id !== void 0) {
        let data0 = data.id;
        const _errs1 = errors;
        if (errors === _errs1) {
          if (Array.isArray(data0)) {
            if (data0.length > 1e3) {
              validate28.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
              return false;
            } else {
              var valid1 = true;
              const len0 = data0.length;
              for (let i0 = 0; i0 < len0; i0++) {
                const _errs4 = errors;
                if (typeof data0[i0] !== "string") {
                  validate28.errors = [{ instancePath: instancePath + "/id/" + i0, schemaPath: "#/properties/id/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                  return false;
                }
                var valid1 = _errs4 === errors;
                if (!valid1) {
                  break;
                }
              }
            }
          } else {
            validate28.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
            return false;
          }
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.name !== void 0) {
          const _errs6 = errors;
          if (typeof data.name !== "string") {
            validate28.errors = [{ instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
            return false;
          }
          var valid0 = _errs6 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.name_contains !== void 0) {
            const _errs8 = errors;
            if (typeof data.name_contains !== "string") {
              validate28.errors = [{ instancePath: instancePath + "/name_contains", schemaPath: "#/properties/name_contains/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
              return false;
            }
            var valid0 = _errs8 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.data_type !== void 0) {
              let data4 = data.data_type;
              const _errs10 = errors;
              if (errors === _errs10) {
                if (Array.isArray(data4)) {
                  if (data4.length > 1e3) {
                    validate28.errors = [{ instancePath: instancePath + "/data_type", schemaPath: "#/properties/data_type/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
                    return false;
                  } else {
                    var valid2 = true;
                    const len1 = data4.length;
                    for (let i1 = 0; i1 < len1; i1++) {
                      const _errs13 = errors;
                      if (typeof data4[i1] !== "string") {
                        validate28.errors = [{ instancePath: instancePath + "/data_type/" + i1, schemaPath: "#/properties/data_type/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                        return false;
                      }
                      var valid2 = _errs13 === errors;
                      if (!valid2) {
                        break;
                      }
                    }
                  }
                } else {
                  validate28.errors = [{ instancePath: instancePath + "/data_type", schemaPath: "#/properties/data_type/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                  return false;
                }
              }
              var valid0 = _errs10 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.metadata !== void 0) {
                let data6 = data.metadata;
                const _errs15 = errors;
                if (errors === _errs15) {
                  if (!(data6 && typeof data6 == "object" && !Array.isArray(data6))) {
                    validate28.errors = [{ instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
                    return false;
                  }
                }
                var valid0 = _errs15 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.exclude !== void 0) {
                  let data7 = data.exclude;
                  const _errs18 = errors;
                  if (errors === _errs18) {
                    if (Array.isArray(data7)) {
                      if (data7.length > 1e3) {
                        validate28.errors = [{ instancePath: instancePath + "/exclude", schemaPath: "#/properties/exclude/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
                        return false;
                      } else {
                        var valid3 = true;
                        const len2 = data7.length;
                        for (let i2 = 0; i2 < len2; i2++) {
                          const _errs21 = errors;
                          if (typeof data7[i2] !== "string") {
                            validate28.errors = [{ instancePath: instancePath + "/exclude/" + i2, schemaPath: "#/properties/exclude/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                            return false;
                          }
                          var valid3 = _errs21 === errors;
                          if (!valid3) {
                            break;
                          }
                        }
                      }
                    } else {
                      validate28.errors = [{ instancePath: instancePath + "/exclude", schemaPath: "#/properties/exclude/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                      return false;
                    }
                  }
                  var valid0 = _errs18 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.sort_by !== void 0) {
                    let data9 = data.sort_by;
                    const _errs23 = errors;
                    if (typeof data9 !== "string") {
                      validate28.errors = [{ instancePath: instancePath + "/sort_by", schemaPath: "#/properties/sort_by/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                      return false;
                    }
                    if (!(data9 === "name" || data9 === "created_at" || data9 === "last_session_start_time" || data9 === "example_count" || data9 === "session_count" || data9 === "modified_at")) {
                      validate28.errors = [{ instancePath: instancePath + "/sort_by", schemaPath: "#/properties/sort_by/enum", keyword: "enum", params: { allowedValues: schema29.properties.sort_by.enum }, message: "must be equal to one of the allowed values" }];
                      return false;
                    }
                    var valid0 = _errs23 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.sort_by_desc !== void 0) {
                      const _errs25 = errors;
                      if (typeof data.sort_by_desc !== "boolean") {
                        validate28.errors = [{ instancePath: instancePath + "/sort_by_desc", schemaPath: "#/properties/sort_by_desc/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" }];
                        return false;
                      }
                      var valid0 = _errs25 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.offset !== void 0) {
                        let data11 = data.offset;
                        const _errs27 = errors;
                        if (!(typeof data11 == "number" && (!(data11 % 1) && !isNaN(data11)) && isFinite(data11))) {
                          validate28.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
                          return false;
                        }
                        if (errors === _errs27) {
                          if (typeof data11 == "number" && isFinite(data11)) {
                            if (data11 < 0 || isNaN(data11)) {
                              validate28.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                              return false;
                            }
                          }
                        }
                        var valid0 = _errs27 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.limit !== void 0) {
                          let data12 = data.limit;
                          const _errs29 = errors;
                          if (!(typeof data12 == "number" && (!(data12 % 1) && !isNaN(data12)) && isFinite(data12))) {
                            validate28.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
                            return false;
                          }
                          if (errors === _errs29) {
                            if (typeof data12 == "number" && isFinite(data12)) {
                              if (data12 > 1e4 || isNaN(data12)) {
                                validate28.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" }];
                                return false;
                              } else {
                                if (data12 < 1 || isNaN(data12)) {
                                  validate28.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                                  return false;
                                }
                              }
                            }
                          }
                          var valid0 = _errs29 === errors;
                        } else {
                          var valid0 = true;
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate28.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate28.errors = vErrors;
  return errors === 0;
}
var DatasetPatch = validate29;
var schema30 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "datasets/dataset-patch", "title": "DatasetPatch", "description": "What is given is changed.", "type": "object", "properties": { "name": { "type": ["string", "null"], "minLength": 1 }, "description": { "type": ["string", "null"] }, "inputs_schema_definition": { "type": ["object", "null"], "additionalProperties": true }, "outputs_schema_definition": { "type": ["object", "null"], "additionalProperties": true }, "transformations": { "type": ["array", "null"] }, "metadata": { "type": ["object", "null"], "additionalProperties": true }, "baseline_experiment_id": { "type": ["string", "null"], "description": "UUID; null for none." } } };
function validate29(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.name !== void 0) {
        let data0 = data.name;
        const _errs1 = errors;
        if (typeof data0 !== "string" && data0 !== null) {
          validate29.errors = [{ instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: schema30.properties.name.type }, message: "must be string,null" }];
          return false;
        }
        if (errors === _errs1) {
          if (typeof data0 === "string") {
            if (func2(data0) < 1) {
              validate29.errors = [{ instancePath: instancePath + "/name", schemaPath: "#/properties/name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
              return false;
            }
          }
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.description !== void 0) {
          let data1 = data.description;
          const _errs3 = errors;
          if (typeof data1 !== "string" && data1 !== null) {
            validate29.errors = [{ instancePath: instancePath + "/description", schemaPath: "#/properties/description/type", keyword: "type", params: { type: schema30.properties.description.type }, message: "must be string,null" }];
            return false;
          }
          var valid0 = _errs3 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.inputs_schema_definition !== void 0) {
            let data2 = data.inputs_schema_definition;
            const _errs5 = errors;
            if (!(data2 && typeof data2 == "object" && !Array.isArray(data2)) && data2 !== null) {
              validate29.errors = [{ instancePath: instancePath + "/inputs_schema_definition", schemaPath: "#/properties/inputs_schema_definition/type", keyword: "type", params: { type: schema30.properties.inputs_schema_definition.type }, message: "must be object,null" }];
              return false;
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.outputs_schema_definition !== void 0) {
              let data3 = data.outputs_schema_definition;
              const _errs8 = errors;
              if (!(data3 && typeof data3 == "object" && !Array.isArray(data3)) && data3 !== null) {
                validate29.errors = [{ instancePath: instancePath + "/outputs_schema_definition", schemaPath: "#/properties/outputs_schema_definition/type", keyword: "type", params: { type: schema30.properties.outputs_schema_definition.type }, message: "must be object,null" }];
                return false;
              }
              var valid0 = _errs8 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.transformations !== void 0) {
                let data4 = data.transformations;
                const _errs11 = errors;
                if (!Array.isArray(data4) && data4 !== null) {
                  validate29.errors = [{ instancePath: instancePath + "/transformations", schemaPath: "#/properties/transformations/type", keyword: "type", params: { type: schema30.properties.transformations.type }, message: "must be array,null" }];
                  return false;
                }
                var valid0 = _errs11 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.metadata !== void 0) {
                  let data5 = data.metadata;
                  const _errs13 = errors;
                  if (!(data5 && typeof data5 == "object" && !Array.isArray(data5)) && data5 !== null) {
                    validate29.errors = [{ instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: schema30.properties.metadata.type }, message: "must be object,null" }];
                    return false;
                  }
                  var valid0 = _errs13 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.baseline_experiment_id !== void 0) {
                    let data6 = data.baseline_experiment_id;
                    const _errs16 = errors;
                    if (typeof data6 !== "string" && data6 !== null) {
                      validate29.errors = [{ instancePath: instancePath + "/baseline_experiment_id", schemaPath: "#/properties/baseline_experiment_id/type", keyword: "type", params: { type: schema30.properties.baseline_experiment_id.type }, message: "must be string,null" }];
                      return false;
                    }
                    var valid0 = _errs16 === errors;
                  } else {
                    var valid0 = true;
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate29.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate29.errors = vErrors;
  return errors === 0;
}
var DatasetDiffQuery = validate30;
function validate30(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.from_version === void 0 && (missing0 = "from_version") || data.to_version === void 0 && (missing0 = "to_version")) {
        validate30.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.from_version !== void 0) {
          const _errs1 = errors;
          if (typeof data.from_version !== "string") {
            validate30.errors = [{ instancePath: instancePath + "/from_version", schemaPath: "#/properties/from_version/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
            return false;
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.to_version !== void 0) {
            const _errs3 = errors;
            if (typeof data.to_version !== "string") {
              validate30.errors = [{ instancePath: instancePath + "/to_version", schemaPath: "#/properties/to_version/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
              return false;
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
        }
      }
    } else {
      validate30.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate30.errors = vErrors;
  return errors === 0;
}
var DatasetSplitsPut = validate31;
var schema32 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "datasets/splits-put", "title": "DatasetSplitsPut", "description": "Puts examples into a split, or takes them out.", "type": "object", "properties": { "split_name": { "type": "string", "minLength": 1 }, "examples": { "type": "array", "items": { "type": "string" }, "maxItems": 1e4 }, "remove": { "type": ["boolean", "null"] } }, "required": ["split_name", "examples"] };
function validate31(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.split_name === void 0 && (missing0 = "split_name") || data.examples === void 0 && (missing0 = "examples")) {
        validate31.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.split_name !== void 0) {
          let data0 = data.split_name;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (typeof data0 === "string") {
              if (func2(data0) < 1) {
                validate31.errors = [{ instancePath: instancePath + "/split_name", schemaPath: "#/properties/split_name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
                return false;
              }
            } else {
              validate31.errors = [{ instancePath: instancePath + "/split_name", schemaPath: "#/properties/split_name/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
              return false;
            }
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.examples !== void 0) {
            let data1 = data.examples;
            const _errs3 = errors;
            if (errors === _errs3) {
              if (Array.isArray(data1)) {
                if (data1.length > 1e4) {
                  validate31.errors = [{ instancePath: instancePath + "/examples", schemaPath: "#/properties/examples/maxItems", keyword: "maxItems", params: { limit: 1e4 }, message: "must NOT have more than 10000 items" }];
                  return false;
                } else {
                  var valid1 = true;
                  const len0 = data1.length;
                  for (let i0 = 0; i0 < len0; i0++) {
                    const _errs5 = errors;
                    if (typeof data1[i0] !== "string") {
                      validate31.errors = [{ instancePath: instancePath + "/examples/" + i0, schemaPath: "#/properties/examples/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                      return false;
                    }
                    var valid1 = _errs5 === errors;
                    if (!valid1) {
                      break;
                    }
                  }
                }
              } else {
                validate31.errors = [{ instancePath: instancePath + "/examples", schemaPath: "#/properties/examples/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                return false;
              }
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.remove !== void 0) {
              let data3 = data.remove;
              const _errs7 = errors;
              if (typeof data3 !== "boolean" && data3 !== null) {
                validate31.errors = [{ instancePath: instancePath + "/remove", schemaPath: "#/properties/remove/type", keyword: "type", params: { type: schema32.properties.remove.type }, message: "must be boolean,null" }];
                return false;
              }
              var valid0 = _errs7 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate31.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate31.errors = vErrors;
  return errors === 0;
}
var DatasetSplitsQuery = validate32;
function validate32(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.as_of !== void 0) {
        if (typeof data.as_of !== "string") {
          validate32.errors = [{ instancePath: instancePath + "/as_of", schemaPath: "#/properties/as_of/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
          return false;
        }
      }
    } else {
      validate32.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate32.errors = vErrors;
  return errors === 0;
}
var DatasetTagPut = validate33;
function validate33(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.as_of === void 0 && (missing0 = "as_of") || data.tag === void 0 && (missing0 = "tag")) {
        validate33.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.as_of !== void 0) {
          const _errs1 = errors;
          if (typeof data.as_of !== "string") {
            validate33.errors = [{ instancePath: instancePath + "/as_of", schemaPath: "#/properties/as_of/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
            return false;
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.tag !== void 0) {
            let data1 = data.tag;
            const _errs3 = errors;
            if (errors === _errs3) {
              if (typeof data1 === "string") {
                if (func2(data1) > 200) {
                  validate33.errors = [{ instancePath: instancePath + "/tag", schemaPath: "#/properties/tag/maxLength", keyword: "maxLength", params: { limit: 200 }, message: "must NOT have more than 200 characters" }];
                  return false;
                } else {
                  if (func2(data1) < 1) {
                    validate33.errors = [{ instancePath: instancePath + "/tag", schemaPath: "#/properties/tag/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
                    return false;
                  }
                }
              } else {
                validate33.errors = [{ instancePath: instancePath + "/tag", schemaPath: "#/properties/tag/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
        }
      }
    } else {
      validate33.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate33.errors = vErrors;
  return errors === 0;
}
var DatasetVersionQuery = validate34;
function validate34(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.as_of !== void 0) {
        const _errs1 = errors;
        if (typeof data.as_of !== "string") {
          validate34.errors = [{ instancePath: instancePath + "/as_of", schemaPath: "#/properties/as_of/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
          return false;
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.tag !== void 0) {
          const _errs3 = errors;
          if (typeof data.tag !== "string") {
            validate34.errors = [{ instancePath: instancePath + "/tag", schemaPath: "#/properties/tag/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
            return false;
          }
          var valid0 = _errs3 === errors;
        } else {
          var valid0 = true;
        }
      }
    } else {
      validate34.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate34.errors = vErrors;
  return errors === 0;
}
var DatasetVersionsQuery = validate35;
function validate35(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.search !== void 0) {
        const _errs1 = errors;
        if (typeof data.search !== "string") {
          validate35.errors = [{ instancePath: instancePath + "/search", schemaPath: "#/properties/search/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
          return false;
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.example !== void 0) {
          const _errs3 = errors;
          if (typeof data.example !== "string") {
            validate35.errors = [{ instancePath: instancePath + "/example", schemaPath: "#/properties/example/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
            return false;
          }
          var valid0 = _errs3 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.offset !== void 0) {
            let data2 = data.offset;
            const _errs5 = errors;
            if (!(typeof data2 == "number" && (!(data2 % 1) && !isNaN(data2)) && isFinite(data2))) {
              validate35.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
              return false;
            }
            if (errors === _errs5) {
              if (typeof data2 == "number" && isFinite(data2)) {
                if (data2 < 0 || isNaN(data2)) {
                  validate35.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                  return false;
                }
              }
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.limit !== void 0) {
              let data3 = data.limit;
              const _errs7 = errors;
              if (!(typeof data3 == "number" && (!(data3 % 1) && !isNaN(data3)) && isFinite(data3))) {
                validate35.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
                return false;
              }
              if (errors === _errs7) {
                if (typeof data3 == "number" && isFinite(data3)) {
                  if (data3 > 1e4 || isNaN(data3)) {
                    validate35.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" }];
                    return false;
                  } else {
                    if (data3 < 1 || isNaN(data3)) {
                      validate35.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                      return false;
                    }
                  }
                }
              }
              var valid0 = _errs7 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate35.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate35.errors = vErrors;
  return errors === 0;
}
var ExampleRunsQuery = validate36;
var schema37 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "evaluation-runs/example-runs", "title": "ExampleRunsQuery", "description": "Examples of a dataset with their runs in experiments.", "type": "object", "properties": { "session_ids": { "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": 100 }, "offset": { "type": ["integer", "null"], "minimum": 0 }, "limit": { "type": ["integer", "null"], "minimum": 1, "maximum": 1e3 }, "preview": { "type": ["boolean", "null"] }, "comparative_experiment_id": { "type": ["string", "null"] }, "sort_params": { "anyOf": [{ "type": "null" }, { "type": "object", "properties": { "sort_by": { "type": "string" }, "sort_order": { "enum": ["ASC", "DESC", "asc", "desc", null] } }, "required": ["sort_by"], "additionalProperties": true }] }, "filters": { "anyOf": [{ "type": "null" }, { "type": "object", "additionalProperties": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" }, "maxItems": 20 }] } }] }, "example_ids": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" }, "maxItems": 1e4 }] } }, "required": ["session_ids"] };
function validate36(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.session_ids === void 0 && (missing0 = "session_ids")) {
        validate36.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.session_ids !== void 0) {
          let data0 = data.session_ids;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (Array.isArray(data0)) {
              if (data0.length > 100) {
                validate36.errors = [{ instancePath: instancePath + "/session_ids", schemaPath: "#/properties/session_ids/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" }];
                return false;
              } else {
                if (data0.length < 1) {
                  validate36.errors = [{ instancePath: instancePath + "/session_ids", schemaPath: "#/properties/session_ids/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" }];
                  return false;
                } else {
                  var valid1 = true;
                  const len0 = data0.length;
                  for (let i0 = 0; i0 < len0; i0++) {
                    const _errs3 = errors;
                    if (typeof data0[i0] !== "string") {
                      validate36.errors = [{ instancePath: instancePath + "/session_ids/" + i0, schemaPath: "#/properties/session_ids/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                      return false;
                    }
                    var valid1 = _errs3 === errors;
                    if (!valid1) {
                      break;
                    }
                  }
                }
              }
            } else {
              validate36.errors = [{ instancePath: instancePath + "/session_ids", schemaPath: "#/properties/session_ids/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
              return false;
            }
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.offset !== void 0) {
            let data2 = data.offset;
            const _errs5 = errors;
            if (!(typeof data2 == "number" && (!(data2 % 1) && !isNaN(data2)) && isFinite(data2)) && data2 !== null) {
              validate36.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/type", keyword: "type", params: { type: schema37.properties.offset.type }, message: "must be integer,null" }];
              return false;
            }
            if (errors === _errs5) {
              if (typeof data2 == "number" && isFinite(data2)) {
                if (data2 < 0 || isNaN(data2)) {
                  validate36.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                  return false;
                }
              }
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.limit !== void 0) {
              let data3 = data.limit;
              const _errs7 = errors;
              if (!(typeof data3 == "number" && (!(data3 % 1) && !isNaN(data3)) && isFinite(data3)) && data3 !== null) {
                validate36.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: schema37.properties.limit.type }, message: "must be integer,null" }];
                return false;
              }
              if (errors === _errs7) {
                if (typeof data3 == "number" && isFinite(data3)) {
                  if (data3 > 1e3 || isNaN(data3)) {
                    validate36.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" }];
                    return false;
                  } else {
                    if (data3 < 1 || isNaN(data3)) {
                      validate36.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                      return false;
                    }
                  }
                }
              }
              var valid0 = _errs7 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.preview !== void 0) {
                let data4 = data.preview;
                const _errs9 = errors;
                if (typeof data4 !== "boolean" && data4 !== null) {
                  validate36.errors = [{ instancePath: instancePath + "/preview", schemaPath: "#/properties/preview/type", keyword: "type", params: { type: schema37.properties.preview.type }, message: "must be boolean,null" }];
                  return false;
                }
                var valid0 = _errs9 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.comparative_experiment_id !== void 0) {
                  let data5 = data.comparative_experiment_id;
                  const _errs11 = errors;
                  if (typeof data5 !== "string" && data5 !== null) {
                    validate36.errors = [{ instancePath: instancePath + "/comparative_experiment_id", schemaPath: "#/properties/comparative_experiment_id/type", keyword: "type", params: { type: schema37.properties.comparative_experiment_id.type }, message: "must be string,null" }];
                    return false;
                  }
                  var valid0 = _errs11 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.sort_params !== void 0) {
                    let data6 = data.sort_params;
                    const _errs13 = errors;
                    const _errs14 = errors;
                    let valid2 = false;
                    const _errs15 = errors;
                    if (data6 !== null) {
                      const err0 = { instancePath: instancePath + "/sort_params", schemaPath: "#/properties/sort_params/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                      if (vErrors === null) {
                        vErrors = [err0];
                      } else {
                        vErrors.push(err0);
                      }
                      errors++;
                    }
                    var _valid0 = _errs15 === errors;
                    valid2 = valid2 || _valid0;
                    if (!valid2) {
                      const _errs17 = errors;
                      if (errors === _errs17) {
                        if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
                          let missing1;
                          if (data6.sort_by === void 0 && (missing1 = "sort_by")) {
                            const err1 = { instancePath: instancePath + "/sort_params", schemaPath: "#/properties/sort_params/anyOf/1/required", keyword: "required", params: { missingProperty: missing1 }, message: "must have required property '" + missing1 + "'" };
                            if (vErrors === null) {
                              vErrors = [err1];
                            } else {
                              vErrors.push(err1);
                            }
                            errors++;
                          } else {
                            if (data6.sort_by !== void 0) {
                              const _errs20 = errors;
                              if (typeof data6.sort_by !== "string") {
                                const err2 = { instancePath: instancePath + "/sort_params/sort_by", schemaPath: "#/properties/sort_params/anyOf/1/properties/sort_by/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err2];
                                } else {
                                  vErrors.push(err2);
                                }
                                errors++;
                              }
                              var valid3 = _errs20 === errors;
                            } else {
                              var valid3 = true;
                            }
                            if (valid3) {
                              if (data6.sort_order !== void 0) {
                                let data8 = data6.sort_order;
                                const _errs22 = errors;
                                if (!(data8 === "ASC" || data8 === "DESC" || data8 === "asc" || data8 === "desc" || data8 === null)) {
                                  const err3 = { instancePath: instancePath + "/sort_params/sort_order", schemaPath: "#/properties/sort_params/anyOf/1/properties/sort_order/enum", keyword: "enum", params: { allowedValues: schema37.properties.sort_params.anyOf[1].properties.sort_order.enum }, message: "must be equal to one of the allowed values" };
                                  if (vErrors === null) {
                                    vErrors = [err3];
                                  } else {
                                    vErrors.push(err3);
                                  }
                                  errors++;
                                }
                                var valid3 = _errs22 === errors;
                              } else {
                                var valid3 = true;
                              }
                            }
                          }
                        } else {
                          const err4 = { instancePath: instancePath + "/sort_params", schemaPath: "#/properties/sort_params/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                          if (vErrors === null) {
                            vErrors = [err4];
                          } else {
                            vErrors.push(err4);
                          }
                          errors++;
                        }
                      }
                      var _valid0 = _errs17 === errors;
                      valid2 = valid2 || _valid0;
                    }
                    if (!valid2) {
                      const err5 = { instancePath: instancePath + "/sort_params", schemaPath: "#/properties/sort_params/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                      if (vErrors === null) {
                        vErrors = [err5];
                      } else {
                        vErrors.push(err5);
                      }
                      errors++;
                      validate36.errors = vErrors;
                      return false;
                    } else {
                      errors = _errs14;
                      if (vErrors !== null) {
                        if (_errs14) {
                          vErrors.length = _errs14;
                        } else {
                          vErrors = null;
                        }
                      }
                    }
                    var valid0 = _errs13 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.filters !== void 0) {
                      let data9 = data.filters;
                      const _errs23 = errors;
                      const _errs24 = errors;
                      let valid4 = false;
                      const _errs25 = errors;
                      if (data9 !== null) {
                        const err6 = { instancePath: instancePath + "/filters", schemaPath: "#/properties/filters/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                        if (vErrors === null) {
                          vErrors = [err6];
                        } else {
                          vErrors.push(err6);
                        }
                        errors++;
                      }
                      var _valid1 = _errs25 === errors;
                      valid4 = valid4 || _valid1;
                      if (!valid4) {
                        const _errs27 = errors;
                        if (errors === _errs27) {
                          if (data9 && typeof data9 == "object" && !Array.isArray(data9)) {
                            for (const key0 in data9) {
                              let data10 = data9[key0];
                              const _errs30 = errors;
                              const _errs31 = errors;
                              let valid6 = false;
                              const _errs32 = errors;
                              if (data10 !== null) {
                                const err7 = { instancePath: instancePath + "/filters/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/filters/anyOf/1/additionalProperties/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                                if (vErrors === null) {
                                  vErrors = [err7];
                                } else {
                                  vErrors.push(err7);
                                }
                                errors++;
                              }
                              var _valid2 = _errs32 === errors;
                              valid6 = valid6 || _valid2;
                              if (!valid6) {
                                const _errs34 = errors;
                                if (errors === _errs34) {
                                  if (Array.isArray(data10)) {
                                    if (data10.length > 20) {
                                      const err8 = { instancePath: instancePath + "/filters/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/filters/anyOf/1/additionalProperties/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
                                      if (vErrors === null) {
                                        vErrors = [err8];
                                      } else {
                                        vErrors.push(err8);
                                      }
                                      errors++;
                                    } else {
                                      var valid7 = true;
                                      const len1 = data10.length;
                                      for (let i1 = 0; i1 < len1; i1++) {
                                        const _errs36 = errors;
                                        if (typeof data10[i1] !== "string") {
                                          const err9 = { instancePath: instancePath + "/filters/" + key0.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i1, schemaPath: "#/properties/filters/anyOf/1/additionalProperties/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                          if (vErrors === null) {
                                            vErrors = [err9];
                                          } else {
                                            vErrors.push(err9);
                                          }
                                          errors++;
                                        }
                                        var valid7 = _errs36 === errors;
                                        if (!valid7) {
                                          break;
                                        }
                                      }
                                    }
                                  } else {
                                    const err10 = { instancePath: instancePath + "/filters/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/filters/anyOf/1/additionalProperties/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                    if (vErrors === null) {
                                      vErrors = [err10];
                                    } else {
                                      vErrors.push(err10);
                                    }
                                    errors++;
                                  }
                                }
                                var _valid2 = _errs34 === errors;
                                valid6 = valid6 || _valid2;
                              }
                              if (!valid6) {
                                const err11 = { instancePath: instancePath + "/filters/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/filters/anyOf/1/additionalProperties/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                                if (vErrors === null) {
                                  vErrors = [err11];
                                } else {
                                  vErrors.push(err11);
                                }
                                errors++;
                              } else {
                                errors = _errs31;
                                if (vErrors !== null) {
                                  if (_errs31) {
                                    vErrors.length = _errs31;
                                  } else {
                                    vErrors = null;
                                  }
                                }
                              }
                              var valid5 = _errs30 === errors;
                              if (!valid5) {
                                break;
                              }
                            }
                          } else {
                            const err12 = { instancePath: instancePath + "/filters", schemaPath: "#/properties/filters/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                            if (vErrors === null) {
                              vErrors = [err12];
                            } else {
                              vErrors.push(err12);
                            }
                            errors++;
                          }
                        }
                        var _valid1 = _errs27 === errors;
                        valid4 = valid4 || _valid1;
                      }
                      if (!valid4) {
                        const err13 = { instancePath: instancePath + "/filters", schemaPath: "#/properties/filters/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                        if (vErrors === null) {
                          vErrors = [err13];
                        } else {
                          vErrors.push(err13);
                        }
                        errors++;
                        validate36.errors = vErrors;
                        return false;
                      } else {
                        errors = _errs24;
                        if (vErrors !== null) {
                          if (_errs24) {
                            vErrors.length = _errs24;
                          } else {
                            vErrors = null;
                          }
                        }
                      }
                      var valid0 = _errs23 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.example_ids !== void 0) {
                        let data12 = data.example_ids;
                        const _errs38 = errors;
                        const _errs39 = errors;
                        let valid8 = false;
                        const _errs40 = errors;
                        if (data12 !== null) {
                          const err14 = { instancePath: instancePath + "/example_ids", schemaPath: "#/properties/example_ids/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                          if (vErrors === null) {
                            vErrors = [err14];
                          } else {
                            vErrors.push(err14);
                          }
                          errors++;
                        }
                        var _valid3 = _errs40 === errors;
                        valid8 = valid8 || _valid3;
                        if (!valid8) {
                          const _errs42 = errors;
                          if (errors === _errs42) {
                            if (Array.isArray(data12)) {
                              if (data12.length > 1e4) {
                                const err15 = { instancePath: instancePath + "/example_ids", schemaPath: "#/properties/example_ids/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e4 }, message: "must NOT have more than 10000 items" };
                                if (vErrors === null) {
                                  vErrors = [err15];
                                } else {
                                  vErrors.push(err15);
                                }
                                errors++;
                              } else {
                                var valid9 = true;
                                const len2 = data12.length;
                                for (let i2 = 0; i2 < len2; i2++) {
                                  const _errs44 = errors;
                                  if (typeof data12[i2] !== "string") {
                                    const err16 = { instancePath: instancePath + "/example_ids/" + i2, schemaPath: "#/properties/example_ids/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                    if (vErrors === null) {
                                      vErrors = [err16];
                                    } else {
                                      vErrors.push(err16);
                                    }
                                    errors++;
                                  }
                                  var valid9 = _errs44 === errors;
                                  if (!valid9) {
                                    break;
                                  }
                                }
                              }
                            } else {
                              const err17 = { instancePath: instancePath + "/example_ids", schemaPath: "#/properties/example_ids/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                              if (vErrors === null) {
                                vErrors = [err17];
                              } else {
                                vErrors.push(err17);
                              }
                              errors++;
                            }
                          }
                          var _valid3 = _errs42 === errors;
                          valid8 = valid8 || _valid3;
                        }
                        if (!valid8) {
                          const err18 = { instancePath: instancePath + "/example_ids", schemaPath: "#/properties/example_ids/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                          if (vErrors === null) {
                            vErrors = [err18];
                          } else {
                            vErrors.push(err18);
                          }
                          errors++;
                          validate36.errors = vErrors;
                          return false;
                        } else {
                          errors = _errs39;
                          if (vErrors !== null) {
                            if (_errs39) {
                              vErrors.length = _errs39;
                            } else {
                              vErrors = null;
                            }
                          }
                        }
                        var valid0 = _errs38 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate36.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate36.errors = vErrors;
  return errors === 0;
}
var RunIngest = validate37;
var schema38 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "evaluation-runs/run-ingest", "title": "RunIngest", "description": "One run of a trace, whole or in part. Keys that are not listed are ignored.", "type": "object", "properties": { "id": { "type": ["string", "null"] }, "name": { "type": ["string", "null"] }, "run_type": { "type": ["string", "null"] }, "start_time": { "type": ["string", "number", "null"], "description": "ISO 8601, or milliseconds since 1970." }, "end_time": { "type": ["string", "number", "null"] }, "trace_id": { "type": ["string", "null"] }, "parent_run_id": { "type": ["string", "null"] }, "dotted_order": { "type": ["string", "null"] }, "session_id": { "type": ["string", "null"] }, "session_name": { "type": ["string", "null"] }, "reference_example_id": { "type": ["string", "null"] }, "error": { "type": ["string", "null"] }, "tags": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" }, "maxItems": 1e3 }] }, "inputs": { "type": ["object", "null"], "additionalProperties": true }, "outputs": { "type": ["object", "null"], "additionalProperties": true }, "extra": { "type": ["object", "null"], "additionalProperties": true }, "events": { "type": ["array", "null"] }, "serialized": { "type": ["object", "null"], "additionalProperties": true } } };
function validate37(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.id !== void 0) {
        let data0 = data.id;
        const _errs1 = errors;
        if (typeof data0 !== "string" && data0 !== null) {
          validate37.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: schema38.properties.id.type }, message: "must be string,null" }];
          return false;
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.name !== void 0) {
          let data1 = data.name;
          const _errs3 = errors;
          if (typeof data1 !== "string" && data1 !== null) {
            validate37.errors = [{ instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: schema38.properties.name.type }, message: "must be string,null" }];
            return false;
          }
          var valid0 = _errs3 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.run_type !== void 0) {
            let data2 = data.run_type;
            const _errs5 = errors;
            if (typeof data2 !== "string" && data2 !== null) {
              validate37.errors = [{ instancePath: instancePath + "/run_type", schemaPath: "#/properties/run_type/type", keyword: "type", params: { type: schema38.properties.run_type.type }, message: "must be string,null" }];
              return false;
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.start_time !== void 0) {
              let data3 = data.start_time;
              const _errs7 = errors;
              if (typeof data3 !== "string" && !(typeof data3 == "number" && isFinite(data3)) && data3 !== null) {
                validate37.errors = [{ instancePath: instancePath + "/start_time", schemaPath: "#/properties/start_time/type", keyword: "type", params: { type: schema38.properties.start_time.type }, message: "must be string,number,null" }];
                return false;
              }
              var valid0 = _errs7 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_time !== void 0) {
                let data4 = data.end_time;
                const _errs9 = errors;
                if (typeof data4 !== "string" && !(typeof data4 == "number" && isFinite(data4)) && data4 !== null) {
                  validate37.errors = [{ instancePath: instancePath + "/end_time", schemaPath: "#/properties/end_time/type", keyword: "type", params: { type: schema38.properties.end_time.type }, message: "must be string,number,null" }];
                  return false;
                }
                var valid0 = _errs9 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.trace_id !== void 0) {
                  let data5 = data.trace_id;
                  const _errs11 = errors;
                  if (typeof data5 !== "string" && data5 !== null) {
                    validate37.errors = [{ instancePath: instancePath + "/trace_id", schemaPath: "#/properties/trace_id/type", keyword: "type", params: { type: schema38.properties.trace_id.type }, message: "must be string,null" }];
                    return false;
                  }
                  var valid0 = _errs11 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.parent_run_id !== void 0) {
                    let data6 = data.parent_run_id;
                    const _errs13 = errors;
                    if (typeof data6 !== "string" && data6 !== null) {
                      validate37.errors = [{ instancePath: instancePath + "/parent_run_id", schemaPath: "#/properties/parent_run_id/type", keyword: "type", params: { type: schema38.properties.parent_run_id.type }, message: "must be string,null" }];
                      return false;
                    }
                    var valid0 = _errs13 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.dotted_order !== void 0) {
                      let data7 = data.dotted_order;
                      const _errs15 = errors;
                      if (typeof data7 !== "string" && data7 !== null) {
                        validate37.errors = [{ instancePath: instancePath + "/dotted_order", schemaPath: "#/properties/dotted_order/type", keyword: "type", params: { type: schema38.properties.dotted_order.type }, message: "must be string,null" }];
                        return false;
                      }
                      var valid0 = _errs15 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.session_id !== void 0) {
                        let data8 = data.session_id;
                        const _errs17 = errors;
                        if (typeof data8 !== "string" && data8 !== null) {
                          validate37.errors = [{ instancePath: instancePath + "/session_id", schemaPath: "#/properties/session_id/type", keyword: "type", params: { type: schema38.properties.session_id.type }, message: "must be string,null" }];
                          return false;
                        }
                        var valid0 = _errs17 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.session_name !== void 0) {
                          let data9 = data.session_name;
                          const _errs19 = errors;
                          if (typeof data9 !== "string" && data9 !== null) {
                            validate37.errors = [{ instancePath: instancePath + "/session_name", schemaPath: "#/properties/session_name/type", keyword: "type", params: { type: schema38.properties.session_name.type }, message: "must be string,null" }];
                            return false;
                          }
                          var valid0 = _errs19 === errors;
                        } else {
                          var valid0 = true;
                        }
                        if (valid0) {
                          if (data.reference_example_id !== void 0) {
                            let data10 = data.reference_example_id;
                            const _errs21 = errors;
                            if (typeof data10 !== "string" && data10 !== null) {
                              validate37.errors = [{ instancePath: instancePath + "/reference_example_id", schemaPath: "#/properties/reference_example_id/type", keyword: "type", params: { type: schema38.properties.reference_example_id.type }, message: "must be string,null" }];
                              return false;
                            }
                            var valid0 = _errs21 === errors;
                          } else {
                            var valid0 = true;
                          }
                          if (valid0) {
                            if (data.error !== void 0) {
                              let data11 = data.error;
                              const _errs23 = errors;
                              if (typeof data11 !== "string" && data11 !== null) {
                                validate37.errors = [{ instancePath: instancePath + "/error", schemaPath: "#/properties/error/type", keyword: "type", params: { type: schema38.properties.error.type }, message: "must be string,null" }];
                                return false;
                              }
                              var valid0 = _errs23 === errors;
                            } else {
                              var valid0 = true;
                            }
                            if (valid0) {
                              if (data.tags !== void 0) {
                                let data12 = data.tags;
                                const _errs25 = errors;
                                const _errs26 = errors;
                                let valid1 = false;
                                const _errs27 = errors;
                                if (data12 !== null) {
                                  const err0 = { instancePath: instancePath + "/tags", schemaPath: "#/properties/tags/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                                  if (vErrors === null) {
                                    vErrors = [err0];
                                  } else {
                                    vErrors.push(err0);
                                  }
                                  errors++;
                                }
                                var _valid0 = _errs27 === errors;
                                valid1 = valid1 || _valid0;
                                if (!valid1) {
                                  const _errs29 = errors;
                                  if (errors === _errs29) {
                                    if (Array.isArray(data12)) {
                                      if (data12.length > 1e3) {
                                        const err1 = { instancePath: instancePath + "/tags", schemaPath: "#/properties/tags/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
                                        if (vErrors === null) {
                                          vErrors = [err1];
                                        } else {
                                          vErrors.push(err1);
                                        }
                                        errors++;
                                      } else {
                                        var valid2 = true;
                                        const len0 = data12.length;
                                        for (let i0 = 0; i0 < len0; i0++) {
                                          const _errs31 = errors;
                                          if (typeof data12[i0] !== "string") {
                                            const err2 = { instancePath: instancePath + "/tags/" + i0, schemaPath: "#/properties/tags/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                            if (vErrors === null) {
                                              vErrors = [err2];
                                            } else {
                                              vErrors.push(err2);
                                            }
                                            errors++;
                                          }
                                          var valid2 = _errs31 === errors;
                                          if (!valid2) {
                                            break;
                                          }
                                        }
                                      }
                                    } else {
                                      const err3 = { instancePath: instancePath + "/tags", schemaPath: "#/properties/tags/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                      if (vErrors === null) {
                                        vErrors = [err3];
                                      } else {
                                        vErrors.push(err3);
                                      }
                                      errors++;
                                    }
                                  }
                                  var _valid0 = _errs29 === errors;
                                  valid1 = valid1 || _valid0;
                                }
                                if (!valid1) {
                                  const err4 = { instancePath: instancePath + "/tags", schemaPath: "#/properties/tags/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                                  if (vErrors === null) {
                                    vErrors = [err4];
                                  } else {
                                    vErrors.push(err4);
                                  }
                                  errors++;
                                  validate37.errors = vErrors;
                                  return false;
                                } else {
                                  errors = _errs26;
                                  if (vErrors !== null) {
                                    if (_errs26) {
                                      vErrors.length = _errs26;
                                    } else {
                                      vErrors = null;
                                    }
                                  }
                                }
                                var valid0 = _errs25 === errors;
                              } else {
                                var valid0 = true;
                              }
                              if (valid0) {
                                if (data.inputs !== void 0) {
                                  let data14 = data.inputs;
                                  const _errs33 = errors;
                                  if (!(data14 && typeof data14 == "object" && !Array.isArray(data14)) && data14 !== null) {
                                    validate37.errors = [{ instancePath: instancePath + "/inputs", schemaPath: "#/properties/inputs/type", keyword: "type", params: { type: schema38.properties.inputs.type }, message: "must be object,null" }];
                                    return false;
                                  }
                                  var valid0 = _errs33 === errors;
                                } else {
                                  var valid0 = true;
                                }
                                if (valid0) {
                                  if (data.outputs !== void 0) {
                                    let data15 = data.outputs;
                                    const _errs36 = errors;
                                    if (!(data15 && typeof data15 == "object" && !Array.isArray(data15)) && data15 !== null) {
                                      validate37.errors = [{ instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/type", keyword: "type", params: { type: schema38.properties.outputs.type }, message: "must be object,null" }];
                                      return false;
                                    }
                                    var valid0 = _errs36 === errors;
                                  } else {
                                    var valid0 = true;
                                  }
                                  if (valid0) {
                                    if (data.extra !== void 0) {
                                      let data16 = data.extra;
                                      const _errs39 = errors;
                                      if (!(data16 && typeof data16 == "object" && !Array.isArray(data16)) && data16 !== null) {
                                        validate37.errors = [{ instancePath: instancePath + "/extra", schemaPath: "#/properties/extra/type", keyword: "type", params: { type: schema38.properties.extra.type }, message: "must be object,null" }];
                                        return false;
                                      }
                                      var valid0 = _errs39 === errors;
                                    } else {
                                      var valid0 = true;
                                    }
                                    if (valid0) {
                                      if (data.events !== void 0) {
                                        let data17 = data.events;
                                        const _errs42 = errors;
                                        if (!Array.isArray(data17) && data17 !== null) {
                                          validate37.errors = [{ instancePath: instancePath + "/events", schemaPath: "#/properties/events/type", keyword: "type", params: { type: schema38.properties.events.type }, message: "must be array,null" }];
                                          return false;
                                        }
                                        var valid0 = _errs42 === errors;
                                      } else {
                                        var valid0 = true;
                                      }
                                      if (valid0) {
                                        if (data.serialized !== void 0) {
                                          let data18 = data.serialized;
                                          const _errs44 = errors;
                                          if (!(data18 && typeof data18 == "object" && !Array.isArray(data18)) && data18 !== null) {
                                            validate37.errors = [{ instancePath: instancePath + "/serialized", schemaPath: "#/properties/serialized/type", keyword: "type", params: { type: schema38.properties.serialized.type }, message: "must be object,null" }];
                                            return false;
                                          }
                                          var valid0 = _errs44 === errors;
                                        } else {
                                          var valid0 = true;
                                        }
                                      }
                                    }
                                  }
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate37.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate37.errors = vErrors;
  return errors === 0;
}
var RunQuery = validate38;
var schema39 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "evaluation-runs/run-query", "title": "RunQuery", "description": "Which runs of traces. Ids leave every other condition out.", "type": "object", "properties": { "id": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" }, "maxItems": 1e4 }, { "type": "string" }] }, "trace": { "type": ["string", "null"] }, "parent_run": { "type": ["string", "null"] }, "run_type": { "type": ["string", "null"] }, "session": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" }, "maxItems": 1e3 }, { "type": "string" }] }, "reference_example": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" }, "maxItems": 1e4 }, { "type": "string" }] }, "execution_order": { "type": ["integer", "null"] }, "start_time": { "type": ["string", "number", "null"] }, "end_time": { "type": ["string", "number", "null"] }, "error": { "type": ["boolean", "null"] }, "query": { "type": ["string", "null"] }, "filter": { "type": ["string", "null"] }, "trace_filter": { "type": ["string", "null"] }, "tree_filter": { "type": ["string", "null"] }, "is_root": { "type": ["boolean", "null"] }, "select": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" }, "maxItems": 200 }] }, "order": { "enum": ["asc", "desc", null] }, "cursor": { "type": ["string", "null"] }, "limit": { "type": ["integer", "null"], "description": "At most 100 come at once.", "minimum": 1, "maximum": 1e4 } } };
function validate38(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.id !== void 0) {
        let data0 = data.id;
        const _errs1 = errors;
        const _errs2 = errors;
        let valid1 = false;
        const _errs3 = errors;
        if (data0 !== null) {
          const err0 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
          if (vErrors === null) {
            vErrors = [err0];
          } else {
            vErrors.push(err0);
          }
          errors++;
        }
        var _valid0 = _errs3 === errors;
        valid1 = valid1 || _valid0;
        if (!valid1) {
          const _errs5 = errors;
          if (errors === _errs5) {
            if (Array.isArray(data0)) {
              if (data0.length > 1e4) {
                const err1 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e4 }, message: "must NOT have more than 10000 items" };
                if (vErrors === null) {
                  vErrors = [err1];
                } else {
                  vErrors.push(err1);
                }
                errors++;
              } else {
                var valid2 = true;
                const len0 = data0.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  const _errs7 = errors;
                  if (typeof data0[i0] !== "string") {
                    const err2 = { instancePath: instancePath + "/id/" + i0, schemaPath: "#/properties/id/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err2];
                    } else {
                      vErrors.push(err2);
                    }
                    errors++;
                  }
                  var valid2 = _errs7 === errors;
                  if (!valid2) {
                    break;
                  }
                }
              }
            } else {
              const err3 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
          }
          var _valid0 = _errs5 === errors;
          valid1 = valid1 || _valid0;
          if (!valid1) {
            const _errs9 = errors;
            if (typeof data0 !== "string") {
              const err4 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/anyOf/2/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
            var _valid0 = _errs9 === errors;
            valid1 = valid1 || _valid0;
          }
        }
        if (!valid1) {
          const err5 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
          validate38.errors = vErrors;
          return false;
        } else {
          errors = _errs2;
          if (vErrors !== null) {
            if (_errs2) {
              vErrors.length = _errs2;
            } else {
              vErrors = null;
            }
          }
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.trace !== void 0) {
          let data2 = data.trace;
          const _errs11 = errors;
          if (typeof data2 !== "string" && data2 !== null) {
            validate38.errors = [{ instancePath: instancePath + "/trace", schemaPath: "#/properties/trace/type", keyword: "type", params: { type: schema39.properties.trace.type }, message: "must be string,null" }];
            return false;
          }
          var valid0 = _errs11 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.parent_run !== void 0) {
            let data3 = data.parent_run;
            const _errs13 = errors;
            if (typeof data3 !== "string" && data3 !== null) {
              validate38.errors = [{ instancePath: instancePath + "/parent_run", schemaPath: "#/properties/parent_run/type", keyword: "type", params: { type: schema39.properties.parent_run.type }, message: "must be string,null" }];
              return false;
            }
            var valid0 = _errs13 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.run_type !== void 0) {
              let data4 = data.run_type;
              const _errs15 = errors;
              if (typeof data4 !== "string" && data4 !== null) {
                validate38.errors = [{ instancePath: instancePath + "/run_type", schemaPath: "#/properties/run_type/type", keyword: "type", params: { type: schema39.properties.run_type.type }, message: "must be string,null" }];
                return false;
              }
              var valid0 = _errs15 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.session !== void 0) {
                let data5 = data.session;
                const _errs17 = errors;
                const _errs18 = errors;
                let valid3 = false;
                const _errs19 = errors;
                if (data5 !== null) {
                  const err6 = { instancePath: instancePath + "/session", schemaPath: "#/properties/session/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                  if (vErrors === null) {
                    vErrors = [err6];
                  } else {
                    vErrors.push(err6);
                  }
                  errors++;
                }
                var _valid1 = _errs19 === errors;
                valid3 = valid3 || _valid1;
                if (!valid3) {
                  const _errs21 = errors;
                  if (errors === _errs21) {
                    if (Array.isArray(data5)) {
                      if (data5.length > 1e3) {
                        const err7 = { instancePath: instancePath + "/session", schemaPath: "#/properties/session/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
                        if (vErrors === null) {
                          vErrors = [err7];
                        } else {
                          vErrors.push(err7);
                        }
                        errors++;
                      } else {
                        var valid4 = true;
                        const len1 = data5.length;
                        for (let i1 = 0; i1 < len1; i1++) {
                          const _errs23 = errors;
                          if (typeof data5[i1] !== "string") {
                            const err8 = { instancePath: instancePath + "/session/" + i1, schemaPath: "#/properties/session/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err8];
                            } else {
                              vErrors.push(err8);
                            }
                            errors++;
                          }
                          var valid4 = _errs23 === errors;
                          if (!valid4) {
                            break;
                          }
                        }
                      }
                    } else {
                      const err9 = { instancePath: instancePath + "/session", schemaPath: "#/properties/session/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                      if (vErrors === null) {
                        vErrors = [err9];
                      } else {
                        vErrors.push(err9);
                      }
                      errors++;
                    }
                  }
                  var _valid1 = _errs21 === errors;
                  valid3 = valid3 || _valid1;
                  if (!valid3) {
                    const _errs25 = errors;
                    if (typeof data5 !== "string") {
                      const err10 = { instancePath: instancePath + "/session", schemaPath: "#/properties/session/anyOf/2/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      if (vErrors === null) {
                        vErrors = [err10];
                      } else {
                        vErrors.push(err10);
                      }
                      errors++;
                    }
                    var _valid1 = _errs25 === errors;
                    valid3 = valid3 || _valid1;
                  }
                }
                if (!valid3) {
                  const err11 = { instancePath: instancePath + "/session", schemaPath: "#/properties/session/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                  if (vErrors === null) {
                    vErrors = [err11];
                  } else {
                    vErrors.push(err11);
                  }
                  errors++;
                  validate38.errors = vErrors;
                  return false;
                } else {
                  errors = _errs18;
                  if (vErrors !== null) {
                    if (_errs18) {
                      vErrors.length = _errs18;
                    } else {
                      vErrors = null;
                    }
                  }
                }
                var valid0 = _errs17 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.reference_example !== void 0) {
                  let data7 = data.reference_example;
                  const _errs27 = errors;
                  const _errs28 = errors;
                  let valid5 = false;
                  const _errs29 = errors;
                  if (data7 !== null) {
                    const err12 = { instancePath: instancePath + "/reference_example", schemaPath: "#/properties/reference_example/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                    if (vErrors === null) {
                      vErrors = [err12];
                    } else {
                      vErrors.push(err12);
                    }
                    errors++;
                  }
                  var _valid2 = _errs29 === errors;
                  valid5 = valid5 || _valid2;
                  if (!valid5) {
                    const _errs31 = errors;
                    if (errors === _errs31) {
                      if (Array.isArray(data7)) {
                        if (data7.length > 1e4) {
                          const err13 = { instancePath: instancePath + "/reference_example", schemaPath: "#/properties/reference_example/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e4 }, message: "must NOT have more than 10000 items" };
                          if (vErrors === null) {
                            vErrors = [err13];
                          } else {
                            vErrors.push(err13);
                          }
                          errors++;
                        } else {
                          var valid6 = true;
                          const len2 = data7.length;
                          for (let i2 = 0; i2 < len2; i2++) {
                            const _errs33 = errors;
                            if (typeof data7[i2] !== "string") {
                              const err14 = { instancePath: instancePath + "/reference_example/" + i2, schemaPath: "#/properties/reference_example/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                              if (vErrors === null) {
                                vErrors = [err14];
                              } else {
                                vErrors.push(err14);
                              }
                              errors++;
                            }
                            var valid6 = _errs33 === errors;
                            if (!valid6) {
                              break;
                            }
                          }
                        }
                      } else {
                        const err15 = { instancePath: instancePath + "/reference_example", schemaPath: "#/properties/reference_example/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                        if (vErrors === null) {
                          vErrors = [err15];
                        } else {
                          vErrors.push(err15);
                        }
                        errors++;
                      }
                    }
                    var _valid2 = _errs31 === errors;
                    valid5 = valid5 || _valid2;
                    if (!valid5) {
                      const _errs35 = errors;
                      if (typeof data7 !== "string") {
                        const err16 = { instancePath: instancePath + "/reference_example", schemaPath: "#/properties/reference_example/anyOf/2/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err16];
                        } else {
                          vErrors.push(err16);
                        }
                        errors++;
                      }
                      var _valid2 = _errs35 === errors;
                      valid5 = valid5 || _valid2;
                    }
                  }
                  if (!valid5) {
                    const err17 = { instancePath: instancePath + "/reference_example", schemaPath: "#/properties/reference_example/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                    if (vErrors === null) {
                      vErrors = [err17];
                    } else {
                      vErrors.push(err17);
                    }
                    errors++;
                    validate38.errors = vErrors;
                    return false;
                  } else {
                    errors = _errs28;
                    if (vErrors !== null) {
                      if (_errs28) {
                        vErrors.length = _errs28;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                  var valid0 = _errs27 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.execution_order !== void 0) {
                    let data9 = data.execution_order;
                    const _errs37 = errors;
                    if (!(typeof data9 == "number" && (!(data9 % 1) && !isNaN(data9)) && isFinite(data9)) && data9 !== null) {
                      validate38.errors = [{ instancePath: instancePath + "/execution_order", schemaPath: "#/properties/execution_order/type", keyword: "type", params: { type: schema39.properties.execution_order.type }, message: "must be integer,null" }];
                      return false;
                    }
                    var valid0 = _errs37 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.start_time !== void 0) {
                      let data10 = data.start_time;
                      const _errs39 = errors;
                      if (typeof data10 !== "string" && !(typeof data10 == "number" && isFinite(data10)) && data10 !== null) {
                        validate38.errors = [{ instancePath: instancePath + "/start_time", schemaPath: "#/properties/start_time/type", keyword: "type", params: { type: schema39.properties.start_time.type }, message: "must be string,number,null" }];
                        return false;
                      }
                      var valid0 = _errs39 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.end_time !== void 0) {
                        let data11 = data.end_time;
                        const _errs41 = errors;
                        if (typeof data11 !== "string" && !(typeof data11 == "number" && isFinite(data11)) && data11 !== null) {
                          validate38.errors = [{ instancePath: instancePath + "/end_time", schemaPath: "#/properties/end_time/type", keyword: "type", params: { type: schema39.properties.end_time.type }, message: "must be string,number,null" }];
                          return false;
                        }
                        var valid0 = _errs41 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.error !== void 0) {
                          let data12 = data.error;
                          const _errs43 = errors;
                          if (typeof data12 !== "boolean" && data12 !== null) {
                            validate38.errors = [{ instancePath: instancePath + "/error", schemaPath: "#/properties/error/type", keyword: "type", params: { type: schema39.properties.error.type }, message: "must be boolean,null" }];
                            return false;
                          }
                          var valid0 = _errs43 === errors;
                        } else {
                          var valid0 = true;
                        }
                        if (valid0) {
                          if (data.query !== void 0) {
                            let data13 = data.query;
                            const _errs45 = errors;
                            if (typeof data13 !== "string" && data13 !== null) {
                              validate38.errors = [{ instancePath: instancePath + "/query", schemaPath: "#/properties/query/type", keyword: "type", params: { type: schema39.properties.query.type }, message: "must be string,null" }];
                              return false;
                            }
                            var valid0 = _errs45 === errors;
                          } else {
                            var valid0 = true;
                          }
                          if (valid0) {
                            if (data.filter !== void 0) {
                              let data14 = data.filter;
                              const _errs47 = errors;
                              if (typeof data14 !== "string" && data14 !== null) {
                                validate38.errors = [{ instancePath: instancePath + "/filter", schemaPath: "#/properties/filter/type", keyword: "type", params: { type: schema39.properties.filter.type }, message: "must be string,null" }];
                                return false;
                              }
                              var valid0 = _errs47 === errors;
                            } else {
                              var valid0 = true;
                            }
                            if (valid0) {
                              if (data.trace_filter !== void 0) {
                                let data15 = data.trace_filter;
                                const _errs49 = errors;
                                if (typeof data15 !== "string" && data15 !== null) {
                                  validate38.errors = [{ instancePath: instancePath + "/trace_filter", schemaPath: "#/properties/trace_filter/type", keyword: "type", params: { type: schema39.properties.trace_filter.type }, message: "must be string,null" }];
                                  return false;
                                }
                                var valid0 = _errs49 === errors;
                              } else {
                                var valid0 = true;
                              }
                              if (valid0) {
                                if (data.tree_filter !== void 0) {
                                  let data16 = data.tree_filter;
                                  const _errs51 = errors;
                                  if (typeof data16 !== "string" && data16 !== null) {
                                    validate38.errors = [{ instancePath: instancePath + "/tree_filter", schemaPath: "#/properties/tree_filter/type", keyword: "type", params: { type: schema39.properties.tree_filter.type }, message: "must be string,null" }];
                                    return false;
                                  }
                                  var valid0 = _errs51 === errors;
                                } else {
                                  var valid0 = true;
                                }
                                if (valid0) {
                                  if (data.is_root !== void 0) {
                                    let data17 = data.is_root;
                                    const _errs53 = errors;
                                    if (typeof data17 !== "boolean" && data17 !== null) {
                                      validate38.errors = [{ instancePath: instancePath + "/is_root", schemaPath: "#/properties/is_root/type", keyword: "type", params: { type: schema39.properties.is_root.type }, message: "must be boolean,null" }];
                                      return false;
                                    }
                                    var valid0 = _errs53 === errors;
                                  } else {
                                    var valid0 = true;
                                  }
                                  if (valid0) {
                                    if (data.select !== void 0) {
                                      let data18 = data.select;
                                      const _errs55 = errors;
                                      const _errs56 = errors;
                                      let valid7 = false;
                                      const _errs57 = errors;
                                      if (data18 !== null) {
                                        const err18 = { instancePath: instancePath + "/select", schemaPath: "#/properties/select/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                                        if (vErrors === null) {
                                          vErrors = [err18];
                                        } else {
                                          vErrors.push(err18);
                                        }
                                        errors++;
                                      }
                                      var _valid3 = _errs57 === errors;
                                      valid7 = valid7 || _valid3;
                                      if (!valid7) {
                                        const _errs59 = errors;
                                        if (errors === _errs59) {
                                          if (Array.isArray(data18)) {
                                            if (data18.length > 200) {
                                              const err19 = { instancePath: instancePath + "/select", schemaPath: "#/properties/select/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 200 }, message: "must NOT have more than 200 items" };
                                              if (vErrors === null) {
                                                vErrors = [err19];
                                              } else {
                                                vErrors.push(err19);
                                              }
                                              errors++;
                                            } else {
                                              var valid8 = true;
                                              const len3 = data18.length;
                                              for (let i3 = 0; i3 < len3; i3++) {
                                                const _errs61 = errors;
                                                if (typeof data18[i3] !== "string") {
                                                  const err20 = { instancePath: instancePath + "/select/" + i3, schemaPath: "#/properties/select/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                                  if (vErrors === null) {
                                                    vErrors = [err20];
                                                  } else {
                                                    vErrors.push(err20);
                                                  }
                                                  errors++;
                                                }
                                                var valid8 = _errs61 === errors;
                                                if (!valid8) {
                                                  break;
                                                }
                                              }
                                            }
                                          } else {
                                            const err21 = { instancePath: instancePath + "/select", schemaPath: "#/properties/select/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                            if (vErrors === null) {
                                              vErrors = [err21];
                                            } else {
                                              vErrors.push(err21);
                                            }
                                            errors++;
                                          }
                                        }
                                        var _valid3 = _errs59 === errors;
                                        valid7 = valid7 || _valid3;
                                      }
                                      if (!valid7) {
                                        const err22 = { instancePath: instancePath + "/select", schemaPath: "#/properties/select/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                                        if (vErrors === null) {
                                          vErrors = [err22];
                                        } else {
                                          vErrors.push(err22);
                                        }
                                        errors++;
                                        validate38.errors = vErrors;
                                        return false;
                                      } else {
                                        errors = _errs56;
                                        if (vErrors !== null) {
                                          if (_errs56) {
                                            vErrors.length = _errs56;
                                          } else {
                                            vErrors = null;
                                          }
                                        }
                                      }
                                      var valid0 = _errs55 === errors;
                                    } else {
                                      var valid0 = true;
                                    }
                                    if (valid0) {
                                      if (data.order !== void 0) {
                                        let data20 = data.order;
                                        const _errs63 = errors;
                                        if (!(data20 === "asc" || data20 === "desc" || data20 === null)) {
                                          validate38.errors = [{ instancePath: instancePath + "/order", schemaPath: "#/properties/order/enum", keyword: "enum", params: { allowedValues: schema39.properties.order.enum }, message: "must be equal to one of the allowed values" }];
                                          return false;
                                        }
                                        var valid0 = _errs63 === errors;
                                      } else {
                                        var valid0 = true;
                                      }
                                      if (valid0) {
                                        if (data.cursor !== void 0) {
                                          let data21 = data.cursor;
                                          const _errs64 = errors;
                                          if (typeof data21 !== "string" && data21 !== null) {
                                            validate38.errors = [{ instancePath: instancePath + "/cursor", schemaPath: "#/properties/cursor/type", keyword: "type", params: { type: schema39.properties.cursor.type }, message: "must be string,null" }];
                                            return false;
                                          }
                                          var valid0 = _errs64 === errors;
                                        } else {
                                          var valid0 = true;
                                        }
                                        if (valid0) {
                                          if (data.limit !== void 0) {
                                            let data22 = data.limit;
                                            const _errs66 = errors;
                                            if (!(typeof data22 == "number" && (!(data22 % 1) && !isNaN(data22)) && isFinite(data22)) && data22 !== null) {
                                              validate38.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: schema39.properties.limit.type }, message: "must be integer,null" }];
                                              return false;
                                            }
                                            if (errors === _errs66) {
                                              if (typeof data22 == "number" && isFinite(data22)) {
                                                if (data22 > 1e4 || isNaN(data22)) {
                                                  validate38.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" }];
                                                  return false;
                                                } else {
                                                  if (data22 < 1 || isNaN(data22)) {
                                                    validate38.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                                                    return false;
                                                  }
                                                }
                                              }
                                            }
                                            var valid0 = _errs66 === errors;
                                          } else {
                                            var valid0 = true;
                                          }
                                        }
                                      }
                                    }
                                  }
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate38.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate38.errors = vErrors;
  return errors === 0;
}
var RunStatsQuery = validate39;
var schema40 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "evaluation-runs/run-stats", "title": "RunStatsQuery", "description": "Of which runs.", "type": "object", "properties": { "id": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" }, "maxItems": 1e4 }, { "type": "string" }] }, "trace": { "type": ["string", "null"] }, "parent_run": { "type": ["string", "null"] }, "run_type": { "type": ["string", "null"] }, "session": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" }, "maxItems": 1e3 }, { "type": "string" }] }, "reference_example": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" }, "maxItems": 1e4 }, { "type": "string" }] }, "execution_order": { "type": ["integer", "null"] }, "start_time": { "type": ["string", "number", "null"] }, "end_time": { "type": ["string", "number", "null"] }, "error": { "type": ["boolean", "null"] }, "query": { "type": ["string", "null"] }, "filter": { "type": ["string", "null"] }, "trace_filter": { "type": ["string", "null"] }, "tree_filter": { "type": ["string", "null"] }, "is_root": { "type": ["boolean", "null"] }, "select": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" }, "maxItems": 200 }] } } };
function validate39(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.id !== void 0) {
        let data0 = data.id;
        const _errs1 = errors;
        const _errs2 = errors;
        let valid1 = false;
        const _errs3 = errors;
        if (data0 !== null) {
          const err0 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
          if (vErrors === null) {
            vErrors = [err0];
          } else {
            vErrors.push(err0);
          }
          errors++;
        }
        var _valid0 = _errs3 === errors;
        valid1 = valid1 || _valid0;
        if (!valid1) {
          const _errs5 = errors;
          if (errors === _errs5) {
            if (Array.isArray(data0)) {
              if (data0.length > 1e4) {
                const err1 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e4 }, message: "must NOT have more than 10000 items" };
                if (vErrors === null) {
                  vErrors = [err1];
                } else {
                  vErrors.push(err1);
                }
                errors++;
              } else {
                var valid2 = true;
                const len0 = data0.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  const _errs7 = errors;
                  if (typeof data0[i0] !== "string") {
                    const err2 = { instancePath: instancePath + "/id/" + i0, schemaPath: "#/properties/id/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    if (vErrors === null) {
                      vErrors = [err2];
                    } else {
                      vErrors.push(err2);
                    }
                    errors++;
                  }
                  var valid2 = _errs7 === errors;
                  if (!valid2) {
                    break;
                  }
                }
              }
            } else {
              const err3 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
              if (vErrors === null) {
                vErrors = [err3];
              } else {
                vErrors.push(err3);
              }
              errors++;
            }
          }
          var _valid0 = _errs5 === errors;
          valid1 = valid1 || _valid0;
          if (!valid1) {
            const _errs9 = errors;
            if (typeof data0 !== "string") {
              const err4 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/anyOf/2/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
            var _valid0 = _errs9 === errors;
            valid1 = valid1 || _valid0;
          }
        }
        if (!valid1) {
          const err5 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
          validate39.errors = vErrors;
          return false;
        } else {
          errors = _errs2;
          if (vErrors !== null) {
            if (_errs2) {
              vErrors.length = _errs2;
            } else {
              vErrors = null;
            }
          }
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.trace !== void 0) {
          let data2 = data.trace;
          const _errs11 = errors;
          if (typeof data2 !== "string" && data2 !== null) {
            validate39.errors = [{ instancePath: instancePath + "/trace", schemaPath: "#/properties/trace/type", keyword: "type", params: { type: schema40.properties.trace.type }, message: "must be string,null" }];
            return false;
          }
          var valid0 = _errs11 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.parent_run !== void 0) {
            let data3 = data.parent_run;
            const _errs13 = errors;
            if (typeof data3 !== "string" && data3 !== null) {
              validate39.errors = [{ instancePath: instancePath + "/parent_run", schemaPath: "#/properties/parent_run/type", keyword: "type", params: { type: schema40.properties.parent_run.type }, message: "must be string,null" }];
              return false;
            }
            var valid0 = _errs13 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.run_type !== void 0) {
              let data4 = data.run_type;
              const _errs15 = errors;
              if (typeof data4 !== "string" && data4 !== null) {
                validate39.errors = [{ instancePath: instancePath + "/run_type", schemaPath: "#/properties/run_type/type", keyword: "type", params: { type: schema40.properties.run_type.type }, message: "must be string,null" }];
                return false;
              }
              var valid0 = _errs15 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.session !== void 0) {
                let data5 = data.session;
                const _errs17 = errors;
                const _errs18 = errors;
                let valid3 = false;
                const _errs19 = errors;
                if (data5 !== null) {
                  const err6 = { instancePath: instancePath + "/session", schemaPath: "#/properties/session/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                  if (vErrors === null) {
                    vErrors = [err6];
                  } else {
                    vErrors.push(err6);
                  }
                  errors++;
                }
                var _valid1 = _errs19 === errors;
                valid3 = valid3 || _valid1;
                if (!valid3) {
                  const _errs21 = errors;
                  if (errors === _errs21) {
                    if (Array.isArray(data5)) {
                      if (data5.length > 1e3) {
                        const err7 = { instancePath: instancePath + "/session", schemaPath: "#/properties/session/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
                        if (vErrors === null) {
                          vErrors = [err7];
                        } else {
                          vErrors.push(err7);
                        }
                        errors++;
                      } else {
                        var valid4 = true;
                        const len1 = data5.length;
                        for (let i1 = 0; i1 < len1; i1++) {
                          const _errs23 = errors;
                          if (typeof data5[i1] !== "string") {
                            const err8 = { instancePath: instancePath + "/session/" + i1, schemaPath: "#/properties/session/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err8];
                            } else {
                              vErrors.push(err8);
                            }
                            errors++;
                          }
                          var valid4 = _errs23 === errors;
                          if (!valid4) {
                            break;
                          }
                        }
                      }
                    } else {
                      const err9 = { instancePath: instancePath + "/session", schemaPath: "#/properties/session/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                      if (vErrors === null) {
                        vErrors = [err9];
                      } else {
                        vErrors.push(err9);
                      }
                      errors++;
                    }
                  }
                  var _valid1 = _errs21 === errors;
                  valid3 = valid3 || _valid1;
                  if (!valid3) {
                    const _errs25 = errors;
                    if (typeof data5 !== "string") {
                      const err10 = { instancePath: instancePath + "/session", schemaPath: "#/properties/session/anyOf/2/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      if (vErrors === null) {
                        vErrors = [err10];
                      } else {
                        vErrors.push(err10);
                      }
                      errors++;
                    }
                    var _valid1 = _errs25 === errors;
                    valid3 = valid3 || _valid1;
                  }
                }
                if (!valid3) {
                  const err11 = { instancePath: instancePath + "/session", schemaPath: "#/properties/session/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                  if (vErrors === null) {
                    vErrors = [err11];
                  } else {
                    vErrors.push(err11);
                  }
                  errors++;
                  validate39.errors = vErrors;
                  return false;
                } else {
                  errors = _errs18;
                  if (vErrors !== null) {
                    if (_errs18) {
                      vErrors.length = _errs18;
                    } else {
                      vErrors = null;
                    }
                  }
                }
                var valid0 = _errs17 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.reference_example !== void 0) {
                  let data7 = data.reference_example;
                  const _errs27 = errors;
                  const _errs28 = errors;
                  let valid5 = false;
                  const _errs29 = errors;
                  if (data7 !== null) {
                    const err12 = { instancePath: instancePath + "/reference_example", schemaPath: "#/properties/reference_example/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                    if (vErrors === null) {
                      vErrors = [err12];
                    } else {
                      vErrors.push(err12);
                    }
                    errors++;
                  }
                  var _valid2 = _errs29 === errors;
                  valid5 = valid5 || _valid2;
                  if (!valid5) {
                    const _errs31 = errors;
                    if (errors === _errs31) {
                      if (Array.isArray(data7)) {
                        if (data7.length > 1e4) {
                          const err13 = { instancePath: instancePath + "/reference_example", schemaPath: "#/properties/reference_example/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e4 }, message: "must NOT have more than 10000 items" };
                          if (vErrors === null) {
                            vErrors = [err13];
                          } else {
                            vErrors.push(err13);
                          }
                          errors++;
                        } else {
                          var valid6 = true;
                          const len2 = data7.length;
                          for (let i2 = 0; i2 < len2; i2++) {
                            const _errs33 = errors;
                            if (typeof data7[i2] !== "string") {
                              const err14 = { instancePath: instancePath + "/reference_example/" + i2, schemaPath: "#/properties/reference_example/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                              if (vErrors === null) {
                                vErrors = [err14];
                              } else {
                                vErrors.push(err14);
                              }
                              errors++;
                            }
                            var valid6 = _errs33 === errors;
                            if (!valid6) {
                              break;
                            }
                          }
                        }
                      } else {
                        const err15 = { instancePath: instancePath + "/reference_example", schemaPath: "#/properties/reference_example/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                        if (vErrors === null) {
                          vErrors = [err15];
                        } else {
                          vErrors.push(err15);
                        }
                        errors++;
                      }
                    }
                    var _valid2 = _errs31 === errors;
                    valid5 = valid5 || _valid2;
                    if (!valid5) {
                      const _errs35 = errors;
                      if (typeof data7 !== "string") {
                        const err16 = { instancePath: instancePath + "/reference_example", schemaPath: "#/properties/reference_example/anyOf/2/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err16];
                        } else {
                          vErrors.push(err16);
                        }
                        errors++;
                      }
                      var _valid2 = _errs35 === errors;
                      valid5 = valid5 || _valid2;
                    }
                  }
                  if (!valid5) {
                    const err17 = { instancePath: instancePath + "/reference_example", schemaPath: "#/properties/reference_example/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                    if (vErrors === null) {
                      vErrors = [err17];
                    } else {
                      vErrors.push(err17);
                    }
                    errors++;
                    validate39.errors = vErrors;
                    return false;
                  } else {
                    errors = _errs28;
                    if (vErrors !== null) {
                      if (_errs28) {
                        vErrors.length = _errs28;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                  var valid0 = _errs27 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.execution_order !== void 0) {
                    let data9 = data.execution_order;
                    const _errs37 = errors;
                    if (!(typeof data9 == "number" && (!(data9 % 1) && !isNaN(data9)) && isFinite(data9)) && data9 !== null) {
                      validate39.errors = [{ instancePath: instancePath + "/execution_order", schemaPath: "#/properties/execution_order/type", keyword: "type", params: { type: schema40.properties.execution_order.type }, message: "must be integer,null" }];
                      return false;
                    }
                    var valid0 = _errs37 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.start_time !== void 0) {
                      let data10 = data.start_time;
                      const _errs39 = errors;
                      if (typeof data10 !== "string" && !(typeof data10 == "number" && isFinite(data10)) && data10 !== null) {
                        validate39.errors = [{ instancePath: instancePath + "/start_time", schemaPath: "#/properties/start_time/type", keyword: "type", params: { type: schema40.properties.start_time.type }, message: "must be string,number,null" }];
                        return false;
                      }
                      var valid0 = _errs39 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.end_time !== void 0) {
                        let data11 = data.end_time;
                        const _errs41 = errors;
                        if (typeof data11 !== "string" && !(typeof data11 == "number" && isFinite(data11)) && data11 !== null) {
                          validate39.errors = [{ instancePath: instancePath + "/end_time", schemaPath: "#/properties/end_time/type", keyword: "type", params: { type: schema40.properties.end_time.type }, message: "must be string,number,null" }];
                          return false;
                        }
                        var valid0 = _errs41 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.error !== void 0) {
                          let data12 = data.error;
                          const _errs43 = errors;
                          if (typeof data12 !== "boolean" && data12 !== null) {
                            validate39.errors = [{ instancePath: instancePath + "/error", schemaPath: "#/properties/error/type", keyword: "type", params: { type: schema40.properties.error.type }, message: "must be boolean,null" }];
                            return false;
                          }
                          var valid0 = _errs43 === errors;
                        } else {
                          var valid0 = true;
                        }
                        if (valid0) {
                          if (data.query !== void 0) {
                            let data13 = data.query;
                            const _errs45 = errors;
                            if (typeof data13 !== "string" && data13 !== null) {
                              validate39.errors = [{ instancePath: instancePath + "/query", schemaPath: "#/properties/query/type", keyword: "type", params: { type: schema40.properties.query.type }, message: "must be string,null" }];
                              return false;
                            }
                            var valid0 = _errs45 === errors;
                          } else {
                            var valid0 = true;
                          }
                          if (valid0) {
                            if (data.filter !== void 0) {
                              let data14 = data.filter;
                              const _errs47 = errors;
                              if (typeof data14 !== "string" && data14 !== null) {
                                validate39.errors = [{ instancePath: instancePath + "/filter", schemaPath: "#/properties/filter/type", keyword: "type", params: { type: schema40.properties.filter.type }, message: "must be string,null" }];
                                return false;
                              }
                              var valid0 = _errs47 === errors;
                            } else {
                              var valid0 = true;
                            }
                            if (valid0) {
                              if (data.trace_filter !== void 0) {
                                let data15 = data.trace_filter;
                                const _errs49 = errors;
                                if (typeof data15 !== "string" && data15 !== null) {
                                  validate39.errors = [{ instancePath: instancePath + "/trace_filter", schemaPath: "#/properties/trace_filter/type", keyword: "type", params: { type: schema40.properties.trace_filter.type }, message: "must be string,null" }];
                                  return false;
                                }
                                var valid0 = _errs49 === errors;
                              } else {
                                var valid0 = true;
                              }
                              if (valid0) {
                                if (data.tree_filter !== void 0) {
                                  let data16 = data.tree_filter;
                                  const _errs51 = errors;
                                  if (typeof data16 !== "string" && data16 !== null) {
                                    validate39.errors = [{ instancePath: instancePath + "/tree_filter", schemaPath: "#/properties/tree_filter/type", keyword: "type", params: { type: schema40.properties.tree_filter.type }, message: "must be string,null" }];
                                    return false;
                                  }
                                  var valid0 = _errs51 === errors;
                                } else {
                                  var valid0 = true;
                                }
                                if (valid0) {
                                  if (data.is_root !== void 0) {
                                    let data17 = data.is_root;
                                    const _errs53 = errors;
                                    if (typeof data17 !== "boolean" && data17 !== null) {
                                      validate39.errors = [{ instancePath: instancePath + "/is_root", schemaPath: "#/properties/is_root/type", keyword: "type", params: { type: schema40.properties.is_root.type }, message: "must be boolean,null" }];
                                      return false;
                                    }
                                    var valid0 = _errs53 === errors;
                                  } else {
                                    var valid0 = true;
                                  }
                                  if (valid0) {
                                    if (data.select !== void 0) {
                                      let data18 = data.select;
                                      const _errs55 = errors;
                                      const _errs56 = errors;
                                      let valid7 = false;
                                      const _errs57 = errors;
                                      if (data18 !== null) {
                                        const err18 = { instancePath: instancePath + "/select", schemaPath: "#/properties/select/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                                        if (vErrors === null) {
                                          vErrors = [err18];
                                        } else {
                                          vErrors.push(err18);
                                        }
                                        errors++;
                                      }
                                      var _valid3 = _errs57 === errors;
                                      valid7 = valid7 || _valid3;
                                      if (!valid7) {
                                        const _errs59 = errors;
                                        if (errors === _errs59) {
                                          if (Array.isArray(data18)) {
                                            if (data18.length > 200) {
                                              const err19 = { instancePath: instancePath + "/select", schemaPath: "#/properties/select/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 200 }, message: "must NOT have more than 200 items" };
                                              if (vErrors === null) {
                                                vErrors = [err19];
                                              } else {
                                                vErrors.push(err19);
                                              }
                                              errors++;
                                            } else {
                                              var valid8 = true;
                                              const len3 = data18.length;
                                              for (let i3 = 0; i3 < len3; i3++) {
                                                const _errs61 = errors;
                                                if (typeof data18[i3] !== "string") {
                                                  const err20 = { instancePath: instancePath + "/select/" + i3, schemaPath: "#/properties/select/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                                  if (vErrors === null) {
                                                    vErrors = [err20];
                                                  } else {
                                                    vErrors.push(err20);
                                                  }
                                                  errors++;
                                                }
                                                var valid8 = _errs61 === errors;
                                                if (!valid8) {
                                                  break;
                                                }
                                              }
                                            }
                                          } else {
                                            const err21 = { instancePath: instancePath + "/select", schemaPath: "#/properties/select/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                            if (vErrors === null) {
                                              vErrors = [err21];
                                            } else {
                                              vErrors.push(err21);
                                            }
                                            errors++;
                                          }
                                        }
                                        var _valid3 = _errs59 === errors;
                                        valid7 = valid7 || _valid3;
                                      }
                                      if (!valid7) {
                                        const err22 = { instancePath: instancePath + "/select", schemaPath: "#/properties/select/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                                        if (vErrors === null) {
                                          vErrors = [err22];
                                        } else {
                                          vErrors.push(err22);
                                        }
                                        errors++;
                                        validate39.errors = vErrors;
                                        return false;
                                      } else {
                                        errors = _errs56;
                                        if (vErrors !== null) {
                                          if (_errs56) {
                                            vErrors.length = _errs56;
                                          } else {
                                            vErrors = null;
                                          }
                                        }
                                      }
                                      var valid0 = _errs55 === errors;
                                    } else {
                                      var valid0 = true;
                                    }
                                  }
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate39.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate39.errors = vErrors;
  return errors === 0;
}
var RunsDeltaQuery = validate40;
var schema41 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "evaluation-runs/runs-delta", "title": "RunsDeltaQuery", "description": "Which experiments against which, by one feedback key.", "type": "object", "properties": { "baseline_session_id": { "type": "string" }, "comparison_session_ids": { "type": "array", "items": { "type": "string" }, "maxItems": 100 }, "feedback_key": { "type": "string" }, "filters": { "anyOf": [{ "type": "null" }, { "type": "object", "additionalProperties": true }] }, "offset": { "type": ["integer", "null"], "minimum": 0 }, "limit": { "type": ["integer", "null"], "minimum": 1, "maximum": 1e3 } }, "required": ["baseline_session_id", "comparison_session_ids", "feedback_key"] };
function validate40(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.baseline_session_id === void 0 && (missing0 = "baseline_session_id") || data.comparison_session_ids === void 0 && (missing0 = "comparison_session_ids") || data.feedback_key === void 0 && (missing0 = "feedback_key")) {
        validate40.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.baseline_session_id !== void 0) {
          const _errs1 = errors;
          if (typeof data.baseline_session_id !== "string") {
            validate40.errors = [{ instancePath: instancePath + "/baseline_session_id", schemaPath: "#/properties/baseline_session_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
            return false;
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.comparison_session_ids !== void 0) {
            let data1 = data.comparison_session_ids;
            const _errs3 = errors;
            if (errors === _errs3) {
              if (Array.isArray(data1)) {
                if (data1.length > 100) {
                  validate40.errors = [{ instancePath: instancePath + "/comparison_session_ids", schemaPath: "#/properties/comparison_session_ids/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" }];
                  return false;
                } else {
                  var valid1 = true;
                  const len0 = data1.length;
                  for (let i0 = 0; i0 < len0; i0++) {
                    const _errs5 = errors;
                    if (typeof data1[i0] !== "string") {
                      validate40.errors = [{ instancePath: instancePath + "/comparison_session_ids/" + i0, schemaPath: "#/properties/comparison_session_ids/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                      return false;
                    }
                    var valid1 = _errs5 === errors;
                    if (!valid1) {
                      break;
                    }
                  }
                }
              } else {
                validate40.errors = [{ instancePath: instancePath + "/comparison_session_ids", schemaPath: "#/properties/comparison_session_ids/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                return false;
              }
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.feedback_key !== void 0) {
              const _errs7 = errors;
              if (typeof data.feedback_key !== "string") {
                validate40.errors = [{ instancePath: instancePath + "/feedback_key", schemaPath: "#/properties/feedback_key/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
              var valid0 = _errs7 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.filters !== void 0) {
                let data4 = data.filters;
                const _errs9 = errors;
                const _errs10 = errors;
                let valid2 = false;
                const _errs11 = errors;
                if (data4 !== null) {
                  const err0 = { instancePath: instancePath + "/filters", schemaPath: "#/properties/filters/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                  if (vErrors === null) {
                    vErrors = [err0];
                  } else {
                    vErrors.push(err0);
                  }
                  errors++;
                }
                var _valid0 = _errs11 === errors;
                valid2 = valid2 || _valid0;
                if (!valid2) {
                  const _errs13 = errors;
                  if (errors === _errs13) {
                    if (!(data4 && typeof data4 == "object" && !Array.isArray(data4))) {
                      const err1 = { instancePath: instancePath + "/filters", schemaPath: "#/properties/filters/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                      if (vErrors === null) {
                        vErrors = [err1];
                      } else {
                        vErrors.push(err1);
                      }
                      errors++;
                    }
                  }
                  var _valid0 = _errs13 === errors;
                  valid2 = valid2 || _valid0;
                }
                if (!valid2) {
                  const err2 = { instancePath: instancePath + "/filters", schemaPath: "#/properties/filters/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                  if (vErrors === null) {
                    vErrors = [err2];
                  } else {
                    vErrors.push(err2);
                  }
                  errors++;
                  validate40.errors = vErrors;
                  return false;
                } else {
                  errors = _errs10;
                  if (vErrors !== null) {
                    if (_errs10) {
                      vErrors.length = _errs10;
                    } else {
                      vErrors = null;
                    }
                  }
                }
                var valid0 = _errs9 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.offset !== void 0) {
                  let data5 = data.offset;
                  const _errs16 = errors;
                  if (!(typeof data5 == "number" && (!(data5 % 1) && !isNaN(data5)) && isFinite(data5)) && data5 !== null) {
                    validate40.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/type", keyword: "type", params: { type: schema41.properties.offset.type }, message: "must be integer,null" }];
                    return false;
                  }
                  if (errors === _errs16) {
                    if (typeof data5 == "number" && isFinite(data5)) {
                      if (data5 < 0 || isNaN(data5)) {
                        validate40.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                        return false;
                      }
                    }
                  }
                  var valid0 = _errs16 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.limit !== void 0) {
                    let data6 = data.limit;
                    const _errs18 = errors;
                    if (!(typeof data6 == "number" && (!(data6 % 1) && !isNaN(data6)) && isFinite(data6)) && data6 !== null) {
                      validate40.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: schema41.properties.limit.type }, message: "must be integer,null" }];
                      return false;
                    }
                    if (errors === _errs18) {
                      if (typeof data6 == "number" && isFinite(data6)) {
                        if (data6 > 1e3 || isNaN(data6)) {
                          validate40.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" }];
                          return false;
                        } else {
                          if (data6 < 1 || isNaN(data6)) {
                            validate40.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                            return false;
                          }
                        }
                      }
                    }
                    var valid0 = _errs18 === errors;
                  } else {
                    var valid0 = true;
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate40.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate40.errors = vErrors;
  return errors === 0;
}
var ExampleCountQuery = validate41;
function validate41(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.dataset !== void 0) {
        const _errs1 = errors;
        if (typeof data.dataset !== "string") {
          validate41.errors = [{ instancePath: instancePath + "/dataset", schemaPath: "#/properties/dataset/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
          return false;
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.id !== void 0) {
          let data1 = data.id;
          const _errs3 = errors;
          if (errors === _errs3) {
            if (Array.isArray(data1)) {
              if (data1.length > 1e4) {
                validate41.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/maxItems", keyword: "maxItems", params: { limit: 1e4 }, message: "must NOT have more than 10000 items" }];
                return false;
              } else {
                var valid1 = true;
                const len0 = data1.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  const _errs6 = errors;
                  if (typeof data1[i0] !== "string") {
                    validate41.errors = [{ instancePath: instancePath + "/id/" + i0, schemaPath: "#/properties/id/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                    return false;
                  }
                  var valid1 = _errs6 === errors;
                  if (!valid1) {
                    break;
                  }
                }
              }
            } else {
              validate41.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
              return false;
            }
          }
          var valid0 = _errs3 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.as_of !== void 0) {
            const _errs8 = errors;
            if (typeof data.as_of !== "string") {
              validate41.errors = [{ instancePath: instancePath + "/as_of", schemaPath: "#/properties/as_of/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
              return false;
            }
            var valid0 = _errs8 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.splits !== void 0) {
              let data4 = data.splits;
              const _errs10 = errors;
              if (errors === _errs10) {
                if (Array.isArray(data4)) {
                  if (data4.length > 1e3) {
                    validate41.errors = [{ instancePath: instancePath + "/splits", schemaPath: "#/properties/splits/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
                    return false;
                  } else {
                    var valid2 = true;
                    const len1 = data4.length;
                    for (let i1 = 0; i1 < len1; i1++) {
                      const _errs13 = errors;
                      if (typeof data4[i1] !== "string") {
                        validate41.errors = [{ instancePath: instancePath + "/splits/" + i1, schemaPath: "#/properties/splits/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                        return false;
                      }
                      var valid2 = _errs13 === errors;
                      if (!valid2) {
                        break;
                      }
                    }
                  }
                } else {
                  validate41.errors = [{ instancePath: instancePath + "/splits", schemaPath: "#/properties/splits/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                  return false;
                }
              }
              var valid0 = _errs10 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.metadata !== void 0) {
                let data6 = data.metadata;
                const _errs15 = errors;
                if (errors === _errs15) {
                  if (!(data6 && typeof data6 == "object" && !Array.isArray(data6))) {
                    validate41.errors = [{ instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
                    return false;
                  }
                }
                var valid0 = _errs15 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.full_text_contains !== void 0) {
                  let data7 = data.full_text_contains;
                  const _errs18 = errors;
                  if (errors === _errs18) {
                    if (Array.isArray(data7)) {
                      if (data7.length > 1e3) {
                        validate41.errors = [{ instancePath: instancePath + "/full_text_contains", schemaPath: "#/properties/full_text_contains/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
                        return false;
                      } else {
                        var valid3 = true;
                        const len2 = data7.length;
                        for (let i2 = 0; i2 < len2; i2++) {
                          const _errs21 = errors;
                          if (typeof data7[i2] !== "string") {
                            validate41.errors = [{ instancePath: instancePath + "/full_text_contains/" + i2, schemaPath: "#/properties/full_text_contains/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                            return false;
                          }
                          var valid3 = _errs21 === errors;
                          if (!valid3) {
                            break;
                          }
                        }
                      }
                    } else {
                      validate41.errors = [{ instancePath: instancePath + "/full_text_contains", schemaPath: "#/properties/full_text_contains/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                      return false;
                    }
                  }
                  var valid0 = _errs18 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.filter !== void 0) {
                    const _errs23 = errors;
                    if (typeof data.filter !== "string") {
                      validate41.errors = [{ instancePath: instancePath + "/filter", schemaPath: "#/properties/filter/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                      return false;
                    }
                    var valid0 = _errs23 === errors;
                  } else {
                    var valid0 = true;
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate41.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate41.errors = vErrors;
  return errors === 0;
}
var ExampleDeleteQuery = validate42;
function validate42(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.example_ids === void 0 && (missing0 = "example_ids")) {
        validate42.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.example_ids !== void 0) {
          let data0 = data.example_ids;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (Array.isArray(data0)) {
              if (data0.length > 1e4) {
                validate42.errors = [{ instancePath: instancePath + "/example_ids", schemaPath: "#/properties/example_ids/maxItems", keyword: "maxItems", params: { limit: 1e4 }, message: "must NOT have more than 10000 items" }];
                return false;
              } else {
                var valid1 = true;
                const len0 = data0.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  const _errs4 = errors;
                  if (typeof data0[i0] !== "string") {
                    validate42.errors = [{ instancePath: instancePath + "/example_ids/" + i0, schemaPath: "#/properties/example_ids/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                    return false;
                  }
                  var valid1 = _errs4 === errors;
                  if (!valid1) {
                    break;
                  }
                }
              }
            } else {
              validate42.errors = [{ instancePath: instancePath + "/example_ids", schemaPath: "#/properties/example_ids/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
              return false;
            }
          }
        }
      }
    } else {
      validate42.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate42.errors = vErrors;
  return errors === 0;
}
var ExampleHardDelete = validate43;
var schema44 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "examples/example-hard-delete", "title": "ExampleHardDelete", "description": "Which examples, and whether their older versions go too.", "type": "object", "properties": { "example_ids": { "type": "array", "items": { "type": "string" }, "maxItems": 1e4 }, "hard_delete": { "type": ["boolean", "null"] } }, "required": ["example_ids"] };
function validate43(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.example_ids === void 0 && (missing0 = "example_ids")) {
        validate43.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.example_ids !== void 0) {
          let data0 = data.example_ids;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (Array.isArray(data0)) {
              if (data0.length > 1e4) {
                validate43.errors = [{ instancePath: instancePath + "/example_ids", schemaPath: "#/properties/example_ids/maxItems", keyword: "maxItems", params: { limit: 1e4 }, message: "must NOT have more than 10000 items" }];
                return false;
              } else {
                var valid1 = true;
                const len0 = data0.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  const _errs3 = errors;
                  if (typeof data0[i0] !== "string") {
                    validate43.errors = [{ instancePath: instancePath + "/example_ids/" + i0, schemaPath: "#/properties/example_ids/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                    return false;
                  }
                  var valid1 = _errs3 === errors;
                  if (!valid1) {
                    break;
                  }
                }
              }
            } else {
              validate43.errors = [{ instancePath: instancePath + "/example_ids", schemaPath: "#/properties/example_ids/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
              return false;
            }
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.hard_delete !== void 0) {
            let data2 = data.hard_delete;
            const _errs5 = errors;
            if (typeof data2 !== "boolean" && data2 !== null) {
              validate43.errors = [{ instancePath: instancePath + "/hard_delete", schemaPath: "#/properties/hard_delete/type", keyword: "type", params: { type: schema44.properties.hard_delete.type }, message: "must be boolean,null" }];
              return false;
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
        }
      }
    } else {
      validate43.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate43.errors = vErrors;
  return errors === 0;
}
var ExampleListQuery = validate44;
var schema45 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "examples/example-list", "title": "ExampleListQuery", "description": "Which examples, and in what order.", "type": "object", "properties": { "dataset": { "type": "string" }, "id": { "type": "array", "items": { "type": "string" }, "maxItems": 1e4, "$comment": "repeated" }, "as_of": { "type": "string", "description": "A time or a tag; latest without it." }, "splits": { "type": "array", "items": { "type": "string" }, "maxItems": 1e3, "$comment": "repeated" }, "metadata": { "type": "object", "additionalProperties": true }, "full_text_contains": { "type": "array", "items": { "type": "string" }, "maxItems": 1e3, "$comment": "repeated" }, "filter": { "type": "string" }, "select": { "type": "array", "items": { "type": "string" }, "maxItems": 1e3, "$comment": "repeated" }, "exclude_default_fields": { "type": "boolean", "description": "Only what select names, and the id." }, "order": { "type": "string", "enum": ["recent", "random", "recently_created", "id"] }, "random_seed": { "type": "number" }, "descending": { "type": "boolean" }, "offset": { "type": "integer", "description": "Rows to leave out first.", "minimum": 0 }, "limit": { "type": "integer", "description": "100 without it.", "minimum": 1, "maximum": 1e4 } } };
function validate44(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.dataset !== void 0) {
        const _errs1 = errors;
        if (typeof data.dataset !== "string") {
          validate44.errors = [{ instancePath: instancePath + "/dataset", schemaPath: "#/properties/dataset/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
          return false;
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.id !== void 0) {
          let data1 = data.id;
          const _errs3 = errors;
          if (errors === _errs3) {
            if (Array.isArray(data1)) {
              if (data1.length > 1e4) {
                validate44.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/maxItems", keyword: "maxItems", params: { limit: 1e4 }, message: "must NOT have more than 10000 items" }];
                return false;
              } else {
                var valid1 = true;
                const len0 = data1.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  const _errs6 = errors;
                  if (typeof data1[i0] !== "string") {
                    validate44.errors = [{ instancePath: instancePath + "/id/" + i0, schemaPath: "#/properties/id/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                    return false;
                  }
                  var valid1 = _errs6 === errors;
                  if (!valid1) {
                    break;
                  }
                }
              }
            } else {
              validate44.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
              return false;
            }
          }
          var valid0 = _errs3 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.as_of !== void 0) {
            const _errs8 = errors;
            if (typeof data.as_of !== "string") {
              validate44.errors = [{ instancePath: instancePath + "/as_of", schemaPath: "#/properties/as_of/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
              return false;
            }
            var valid0 = _errs8 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.splits !== void 0) {
              let data4 = data.splits;
              const _errs10 = errors;
              if (errors === _errs10) {
                if (Array.isArray(data4)) {
                  if (data4.length > 1e3) {
                    validate44.errors = [{ instancePath: instancePath + "/splits", schemaPath: "#/properties/splits/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
                    return false;
                  } else {
                    var valid2 = true;
                    const len1 = data4.length;
                    for (let i1 = 0; i1 < len1; i1++) {
                      const _errs13 = errors;
                      if (typeof data4[i1] !== "string") {
                        validate44.errors = [{ instancePath: instancePath + "/splits/" + i1, schemaPath: "#/properties/splits/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                        return false;
                      }
                      var valid2 = _errs13 === errors;
                      if (!valid2) {
                        break;
                      }
                    }
                  }
                } else {
                  validate44.errors = [{ instancePath: instancePath + "/splits", schemaPath: "#/properties/splits/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                  return false;
                }
              }
              var valid0 = _errs10 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.metadata !== void 0) {
                let data6 = data.metadata;
                const _errs15 = errors;
                if (errors === _errs15) {
                  if (!(data6 && typeof data6 == "object" && !Array.isArray(data6))) {
                    validate44.errors = [{ instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
                    return false;
                  }
                }
                var valid0 = _errs15 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.full_text_contains !== void 0) {
                  let data7 = data.full_text_contains;
                  const _errs18 = errors;
                  if (errors === _errs18) {
                    if (Array.isArray(data7)) {
                      if (data7.length > 1e3) {
                        validate44.errors = [{ instancePath: instancePath + "/full_text_contains", schemaPath: "#/properties/full_text_contains/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
                        return false;
                      } else {
                        var valid3 = true;
                        const len2 = data7.length;
                        for (let i2 = 0; i2 < len2; i2++) {
                          const _errs21 = errors;
                          if (typeof data7[i2] !== "string") {
                            validate44.errors = [{ instancePath: instancePath + "/full_text_contains/" + i2, schemaPath: "#/properties/full_text_contains/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                            return false;
                          }
                          var valid3 = _errs21 === errors;
                          if (!valid3) {
                            break;
                          }
                        }
                      }
                    } else {
                      validate44.errors = [{ instancePath: instancePath + "/full_text_contains", schemaPath: "#/properties/full_text_contains/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                      return false;
                    }
                  }
                  var valid0 = _errs18 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.filter !== void 0) {
                    const _errs23 = errors;
                    if (typeof data.filter !== "string") {
                      validate44.errors = [{ instancePath: instancePath + "/filter", schemaPath: "#/properties/filter/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                      return false;
                    }
                    var valid0 = _errs23 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.select !== void 0) {
                      let data10 = data.select;
                      const _errs25 = errors;
                      if (errors === _errs25) {
                        if (Array.isArray(data10)) {
                          if (data10.length > 1e3) {
                            validate44.errors = [{ instancePath: instancePath + "/select", schemaPath: "#/properties/select/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
                            return false;
                          } else {
                            var valid4 = true;
                            const len3 = data10.length;
                            for (let i3 = 0; i3 < len3; i3++) {
                              const _errs28 = errors;
                              if (typeof data10[i3] !== "string") {
                                validate44.errors = [{ instancePath: instancePath + "/select/" + i3, schemaPath: "#/properties/select/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                                return false;
                              }
                              var valid4 = _errs28 === errors;
                              if (!valid4) {
                                break;
                              }
                            }
                          }
                        } else {
                          validate44.errors = [{ instancePath: instancePath + "/select", schemaPath: "#/properties/select/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                          return false;
                        }
                      }
                      var valid0 = _errs25 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.exclude_default_fields !== void 0) {
                        const _errs30 = errors;
                        if (typeof data.exclude_default_fields !== "boolean") {
                          validate44.errors = [{ instancePath: instancePath + "/exclude_default_fields", schemaPath: "#/properties/exclude_default_fields/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" }];
                          return false;
                        }
                        var valid0 = _errs30 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.order !== void 0) {
                          let data13 = data.order;
                          const _errs32 = errors;
                          if (typeof data13 !== "string") {
                            validate44.errors = [{ instancePath: instancePath + "/order", schemaPath: "#/properties/order/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                            return false;
                          }
                          if (!(data13 === "recent" || data13 === "random" || data13 === "recently_created" || data13 === "id")) {
                            validate44.errors = [{ instancePath: instancePath + "/order", schemaPath: "#/properties/order/enum", keyword: "enum", params: { allowedValues: schema45.properties.order.enum }, message: "must be equal to one of the allowed values" }];
                            return false;
                          }
                          var valid0 = _errs32 === errors;
                        } else {
                          var valid0 = true;
                        }
                        if (valid0) {
                          if (data.random_seed !== void 0) {
                            let data14 = data.random_seed;
                            const _errs34 = errors;
                            if (!(typeof data14 == "number" && isFinite(data14))) {
                              validate44.errors = [{ instancePath: instancePath + "/random_seed", schemaPath: "#/properties/random_seed/type", keyword: "type", params: { type: "number" }, message: "must be number" }];
                              return false;
                            }
                            var valid0 = _errs34 === errors;
                          } else {
                            var valid0 = true;
                          }
                          if (valid0) {
                            if (data.descending !== void 0) {
                              const _errs36 = errors;
                              if (typeof data.descending !== "boolean") {
                                validate44.errors = [{ instancePath: instancePath + "/descending", schemaPath: "#/properties/descending/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" }];
                                return false;
                              }
                              var valid0 = _errs36 === errors;
                            } else {
                              var valid0 = true;
                            }
                            if (valid0) {
                              if (data.offset !== void 0) {
                                let data16 = data.offset;
                                const _errs38 = errors;
                                if (!(typeof data16 == "number" && (!(data16 % 1) && !isNaN(data16)) && isFinite(data16))) {
                                  validate44.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
                                  return false;
                                }
                                if (errors === _errs38) {
                                  if (typeof data16 == "number" && isFinite(data16)) {
                                    if (data16 < 0 || isNaN(data16)) {
                                      validate44.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                                      return false;
                                    }
                                  }
                                }
                                var valid0 = _errs38 === errors;
                              } else {
                                var valid0 = true;
                              }
                              if (valid0) {
                                if (data.limit !== void 0) {
                                  let data17 = data.limit;
                                  const _errs40 = errors;
                                  if (!(typeof data17 == "number" && (!(data17 % 1) && !isNaN(data17)) && isFinite(data17))) {
                                    validate44.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
                                    return false;
                                  }
                                  if (errors === _errs40) {
                                    if (typeof data17 == "number" && isFinite(data17)) {
                                      if (data17 > 1e4 || isNaN(data17)) {
                                        validate44.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" }];
                                        return false;
                                      } else {
                                        if (data17 < 1 || isNaN(data17)) {
                                          validate44.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                                          return false;
                                        }
                                      }
                                    }
                                  }
                                  var valid0 = _errs40 === errors;
                                } else {
                                  var valid0 = true;
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate44.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate44.errors = vErrors;
  return errors === 0;
}
var ExampleMetadataPatch = validate45;
var schema46 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "examples/example-metadata", "title": "ExampleMetadataPatch", "description": "Operations on the metadata of examples, done in order.", "type": "object", "properties": { "example_ids": { "type": "array", "items": { "type": "string" }, "maxItems": 1e4 }, "operations": { "type": "array", "maxItems": 50, "items": { "type": "object", "properties": { "key": { "type": "string", "minLength": 1 }, "operation": { "type": "string", "description": "set, array_add or array_remove, in any case." }, "value": {}, "values": { "type": ["array", "null"] } }, "required": ["key", "operation"], "additionalProperties": true } } }, "required": ["example_ids", "operations"] };
function validate45(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.example_ids === void 0 && (missing0 = "example_ids") || data.operations === void 0 && (missing0 = "operations")) {
        validate45.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.example_ids !== void 0) {
          let data0 = data.example_ids;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (Array.isArray(data0)) {
              if (data0.length > 1e4) {
                validate45.errors = [{ instancePath: instancePath + "/example_ids", schemaPath: "#/properties/example_ids/maxItems", keyword: "maxItems", params: { limit: 1e4 }, message: "must NOT have more than 10000 items" }];
                return false;
              } else {
                var valid1 = true;
                const len0 = data0.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  const _errs3 = errors;
                  if (typeof data0[i0] !== "string") {
                    validate45.errors = [{ instancePath: instancePath + "/example_ids/" + i0, schemaPath: "#/properties/example_ids/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                    return false;
                  }
                  var valid1 = _errs3 === errors;
                  if (!valid1) {
                    break;
                  }
                }
              }
            } else {
              validate45.errors = [{ instancePath: instancePath + "/example_ids", schemaPath: "#/properties/example_ids/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
              return false;
            }
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.operations !== void 0) {
            let data2 = data.operations;
            const _errs5 = errors;
            if (errors === _errs5) {
              if (Array.isArray(data2)) {
                if (data2.length > 50) {
                  validate45.errors = [{ instancePath: instancePath + "/operations", schemaPath: "#/properties/operations/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" }];
                  return false;
                } else {
                  var valid2 = true;
                  const len1 = data2.length;
                  for (let i1 = 0; i1 < len1; i1++) {
                    let data3 = data2[i1];
                    const _errs7 = errors;
                    if (errors === _errs7) {
                      if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
                        let missing1;
                        if (data3.key === void 0 && (missing1 = "key") || data3.operation === void 0 && (missing1 = "operation")) {
                          validate45.errors = [{ instancePath: instancePath + "/operations/" + i1, schemaPath: "#/properties/operations/items/required", keyword: "required", params: { missingProperty: missing1 }, message: "must have required property '" + missing1 + "'" }];
                          return false;
                        } else {
                          if (data3.key !== void 0) {
                            let data4 = data3.key;
                            const _errs10 = errors;
                            if (errors === _errs10) {
                              if (typeof data4 === "string") {
                                if (func2(data4) < 1) {
                                  validate45.errors = [{ instancePath: instancePath + "/operations/" + i1 + "/key", schemaPath: "#/properties/operations/items/properties/key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
                                  return false;
                                }
                              } else {
                                validate45.errors = [{ instancePath: instancePath + "/operations/" + i1 + "/key", schemaPath: "#/properties/operations/items/properties/key/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                                return false;
                              }
                            }
                            var valid3 = _errs10 === errors;
                          } else {
                            var valid3 = true;
                          }
                          if (valid3) {
                            if (data3.operation !== void 0) {
                              const _errs12 = errors;
                              if (typeof data3.operation !== "string") {
                                validate45.errors = [{ instancePath: instancePath + "/operations/" + i1 + "/operation", schemaPath: "#/properties/operations/items/properties/operation/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                                return false;
                              }
                              var valid3 = _errs12 === errors;
                            } else {
                              var valid3 = true;
                            }
                            if (valid3) {
                              if (data3.values !== void 0) {
                                let data6 = data3.values;
                                const _errs14 = errors;
                                if (!Array.isArray(data6) && data6 !== null) {
                                  validate45.errors = [{ instancePath: instancePath + "/operations/" + i1 + "/values", schemaPath: "#/properties/operations/items/properties/values/type", keyword: "type", params: { type: schema46.properties.operations.items.properties.values.type }, message: "must be array,null" }];
                                  return false;
                                }
                                var valid3 = _errs14 === errors;
                              } else {
                                var valid3 = true;
                              }
                            }
                          }
                        }
                      } else {
                        validate45.errors = [{ instancePath: instancePath + "/operations/" + i1, schemaPath: "#/properties/operations/items/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
                        return false;
                      }
                    }
                    var valid2 = _errs7 === errors;
                    if (!valid2) {
                      break;
                    }
                  }
                }
              } else {
                validate45.errors = [{ instancePath: instancePath + "/operations", schemaPath: "#/properties/operations/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                return false;
              }
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
        }
      }
    } else {
      validate45.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate45.errors = vErrors;
  return errors === 0;
}
var ExampleQuery = validate46;
function validate46(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.as_of !== void 0) {
        const _errs1 = errors;
        if (typeof data.as_of !== "string") {
          validate46.errors = [{ instancePath: instancePath + "/as_of", schemaPath: "#/properties/as_of/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
          return false;
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.dataset !== void 0) {
          const _errs3 = errors;
          if (typeof data.dataset !== "string") {
            validate46.errors = [{ instancePath: instancePath + "/dataset", schemaPath: "#/properties/dataset/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
            return false;
          }
          var valid0 = _errs3 === errors;
        } else {
          var valid0 = true;
        }
      }
    } else {
      validate46.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate46.errors = vErrors;
  return errors === 0;
}
var ExampleWrite = validate47;
var schema48 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "examples/example-write", "title": "ExampleWrite", "description": "An example, whole or in part. Null leaves a field as it is.", "type": "object", "properties": { "id": { "type": ["string", "null"] }, "dataset_id": { "type": ["string", "null"] }, "inputs": { "type": ["object", "null"], "additionalProperties": true }, "outputs": { "type": ["object", "null"], "additionalProperties": true }, "metadata": { "type": ["object", "null"], "additionalProperties": true }, "split": { "anyOf": [{ "type": "null" }, { "type": "string" }, { "type": "array", "items": { "type": "string" }, "maxItems": 100 }] }, "source_run_id": { "type": ["string", "null"] }, "created_at": { "type": ["string", "number", "null"] }, "use_source_run_io": { "type": ["boolean", "null"] }, "name": { "type": ["string", "null"] } } };
function validate47(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.id !== void 0) {
        let data0 = data.id;
        const _errs1 = errors;
        if (typeof data0 !== "string" && data0 !== null) {
          validate47.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: schema48.properties.id.type }, message: "must be string,null" }];
          return false;
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.dataset_id !== void 0) {
          let data1 = data.dataset_id;
          const _errs3 = errors;
          if (typeof data1 !== "string" && data1 !== null) {
            validate47.errors = [{ instancePath: instancePath + "/dataset_id", schemaPath: "#/properties/dataset_id/type", keyword: "type", params: { type: schema48.properties.dataset_id.type }, message: "must be string,null" }];
            return false;
          }
          var valid0 = _errs3 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.inputs !== void 0) {
            let data2 = data.inputs;
            const _errs5 = errors;
            if (!(data2 && typeof data2 == "object" && !Array.isArray(data2)) && data2 !== null) {
              validate47.errors = [{ instancePath: instancePath + "/inputs", schemaPath: "#/properties/inputs/type", keyword: "type", params: { type: schema48.properties.inputs.type }, message: "must be object,null" }];
              return false;
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.outputs !== void 0) {
              let data3 = data.outputs;
              const _errs8 = errors;
              if (!(data3 && typeof data3 == "object" && !Array.isArray(data3)) && data3 !== null) {
                validate47.errors = [{ instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/type", keyword: "type", params: { type: schema48.properties.outputs.type }, message: "must be object,null" }];
                return false;
              }
              var valid0 = _errs8 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.metadata !== void 0) {
                let data4 = data.metadata;
                const _errs11 = errors;
                if (!(data4 && typeof data4 == "object" && !Array.isArray(data4)) && data4 !== null) {
                  validate47.errors = [{ instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: schema48.properties.metadata.type }, message: "must be object,null" }];
                  return false;
                }
                var valid0 = _errs11 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.split !== void 0) {
                  let data5 = data.split;
                  const _errs14 = errors;
                  const _errs15 = errors;
                  let valid1 = false;
                  const _errs16 = errors;
                  if (data5 !== null) {
                    const err0 = { instancePath: instancePath + "/split", schemaPath: "#/properties/split/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                    if (vErrors === null) {
                      vErrors = [err0];
                    } else {
                      vErrors.push(err0);
                    }
                    errors++;
                  }
                  var _valid0 = _errs16 === errors;
                  valid1 = valid1 || _valid0;
                  if (!valid1) {
                    const _errs18 = errors;
                    if (typeof data5 !== "string") {
                      const err1 = { instancePath: instancePath + "/split", schemaPath: "#/properties/split/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      if (vErrors === null) {
                        vErrors = [err1];
                      } else {
                        vErrors.push(err1);
                      }
                      errors++;
                    }
                    var _valid0 = _errs18 === errors;
                    valid1 = valid1 || _valid0;
                    if (!valid1) {
                      const _errs20 = errors;
                      if (errors === _errs20) {
                        if (Array.isArray(data5)) {
                          if (data5.length > 100) {
                            const err2 = { instancePath: instancePath + "/split", schemaPath: "#/properties/split/anyOf/2/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
                            if (vErrors === null) {
                              vErrors = [err2];
                            } else {
                              vErrors.push(err2);
                            }
                            errors++;
                          } else {
                            var valid2 = true;
                            const len0 = data5.length;
                            for (let i0 = 0; i0 < len0; i0++) {
                              const _errs22 = errors;
                              if (typeof data5[i0] !== "string") {
                                const err3 = { instancePath: instancePath + "/split/" + i0, schemaPath: "#/properties/split/anyOf/2/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err3];
                                } else {
                                  vErrors.push(err3);
                                }
                                errors++;
                              }
                              var valid2 = _errs22 === errors;
                              if (!valid2) {
                                break;
                              }
                            }
                          }
                        } else {
                          const err4 = { instancePath: instancePath + "/split", schemaPath: "#/properties/split/anyOf/2/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                          if (vErrors === null) {
                            vErrors = [err4];
                          } else {
                            vErrors.push(err4);
                          }
                          errors++;
                        }
                      }
                      var _valid0 = _errs20 === errors;
                      valid1 = valid1 || _valid0;
                    }
                  }
                  if (!valid1) {
                    const err5 = { instancePath: instancePath + "/split", schemaPath: "#/properties/split/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                    if (vErrors === null) {
                      vErrors = [err5];
                    } else {
                      vErrors.push(err5);
                    }
                    errors++;
                    validate47.errors = vErrors;
                    return false;
                  } else {
                    errors = _errs15;
                    if (vErrors !== null) {
                      if (_errs15) {
                        vErrors.length = _errs15;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                  var valid0 = _errs14 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.source_run_id !== void 0) {
                    let data7 = data.source_run_id;
                    const _errs24 = errors;
                    if (typeof data7 !== "string" && data7 !== null) {
                      validate47.errors = [{ instancePath: instancePath + "/source_run_id", schemaPath: "#/properties/source_run_id/type", keyword: "type", params: { type: schema48.properties.source_run_id.type }, message: "must be string,null" }];
                      return false;
                    }
                    var valid0 = _errs24 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.created_at !== void 0) {
                      let data8 = data.created_at;
                      const _errs26 = errors;
                      if (typeof data8 !== "string" && !(typeof data8 == "number" && isFinite(data8)) && data8 !== null) {
                        validate47.errors = [{ instancePath: instancePath + "/created_at", schemaPath: "#/properties/created_at/type", keyword: "type", params: { type: schema48.properties.created_at.type }, message: "must be string,number,null" }];
                        return false;
                      }
                      var valid0 = _errs26 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.use_source_run_io !== void 0) {
                        let data9 = data.use_source_run_io;
                        const _errs28 = errors;
                        if (typeof data9 !== "boolean" && data9 !== null) {
                          validate47.errors = [{ instancePath: instancePath + "/use_source_run_io", schemaPath: "#/properties/use_source_run_io/type", keyword: "type", params: { type: schema48.properties.use_source_run_io.type }, message: "must be boolean,null" }];
                          return false;
                        }
                        var valid0 = _errs28 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.name !== void 0) {
                          let data10 = data.name;
                          const _errs30 = errors;
                          if (typeof data10 !== "string" && data10 !== null) {
                            validate47.errors = [{ instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: schema48.properties.name.type }, message: "must be string,null" }];
                            return false;
                          }
                          var valid0 = _errs30 === errors;
                        } else {
                          var valid0 = true;
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate47.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate47.errors = vErrors;
  return errors === 0;
}
var SessionCreate = validate48;
var schema49 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "experiments/session-create", "title": "SessionCreate", "description": "An experiment on a dataset, or a project of traces.", "type": "object", "properties": { "name": { "type": ["string", "null"], "minLength": 1 }, "description": { "type": ["string", "null"] }, "extra": { "type": ["object", "null"], "additionalProperties": true }, "id": { "type": ["string", "null"] }, "start_time": { "type": ["string", "null"] }, "end_time": { "type": ["string", "null"] }, "default_dataset_id": { "type": ["string", "null"] }, "reference_dataset_id": { "type": ["string", "null"] }, "trace_tier": { "enum": ["longlived", "shortlived", null] }, "num_examples": { "type": ["integer", "null"] }, "num_repetitions": { "type": ["integer", "null"] }, "evaluator_keys": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" }, "maxItems": 1e3 }] } } };
function validate48(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.name !== void 0) {
        let data0 = data.name;
        const _errs1 = errors;
        if (typeof data0 !== "string" && data0 !== null) {
          validate48.errors = [{ instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: schema49.properties.name.type }, message: "must be string,null" }];
          return false;
        }
        if (errors === _errs1) {
          if (typeof data0 === "string") {
            if (func2(data0) < 1) {
              validate48.errors = [{ instancePath: instancePath + "/name", schemaPath: "#/properties/name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
              return false;
            }
          }
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.description !== void 0) {
          let data1 = data.description;
          const _errs3 = errors;
          if (typeof data1 !== "string" && data1 !== null) {
            validate48.errors = [{ instancePath: instancePath + "/description", schemaPath: "#/properties/description/type", keyword: "type", params: { type: schema49.properties.description.type }, message: "must be string,null" }];
            return false;
          }
          var valid0 = _errs3 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.extra !== void 0) {
            let data2 = data.extra;
            const _errs5 = errors;
            if (!(data2 && typeof data2 == "object" && !Array.isArray(data2)) && data2 !== null) {
              validate48.errors = [{ instancePath: instancePath + "/extra", schemaPath: "#/properties/extra/type", keyword: "type", params: { type: schema49.properties.extra.type }, message: "must be object,null" }];
              return false;
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.id !== void 0) {
              let data3 = data.id;
              const _errs8 = errors;
              if (typeof data3 !== "string" && data3 !== null) {
                validate48.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: schema49.properties.id.type }, message: "must be string,null" }];
                return false;
              }
              var valid0 = _errs8 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.start_time !== void 0) {
                let data4 = data.start_time;
                const _errs10 = errors;
                if (typeof data4 !== "string" && data4 !== null) {
                  validate48.errors = [{ instancePath: instancePath + "/start_time", schemaPath: "#/properties/start_time/type", keyword: "type", params: { type: schema49.properties.start_time.type }, message: "must be string,null" }];
                  return false;
                }
                var valid0 = _errs10 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_time !== void 0) {
                  let data5 = data.end_time;
                  const _errs12 = errors;
                  if (typeof data5 !== "string" && data5 !== null) {
                    validate48.errors = [{ instancePath: instancePath + "/end_time", schemaPath: "#/properties/end_time/type", keyword: "type", params: { type: schema49.properties.end_time.type }, message: "must be string,null" }];
                    return false;
                  }
                  var valid0 = _errs12 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.default_dataset_id !== void 0) {
                    let data6 = data.default_dataset_id;
                    const _errs14 = errors;
                    if (typeof data6 !== "string" && data6 !== null) {
                      validate48.errors = [{ instancePath: instancePath + "/default_dataset_id", schemaPath: "#/properties/default_dataset_id/type", keyword: "type", params: { type: schema49.properties.default_dataset_id.type }, message: "must be string,null" }];
                      return false;
                    }
                    var valid0 = _errs14 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.reference_dataset_id !== void 0) {
                      let data7 = data.reference_dataset_id;
                      const _errs16 = errors;
                      if (typeof data7 !== "string" && data7 !== null) {
                        validate48.errors = [{ instancePath: instancePath + "/reference_dataset_id", schemaPath: "#/properties/reference_dataset_id/type", keyword: "type", params: { type: schema49.properties.reference_dataset_id.type }, message: "must be string,null" }];
                        return false;
                      }
                      var valid0 = _errs16 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.trace_tier !== void 0) {
                        let data8 = data.trace_tier;
                        const _errs18 = errors;
                        if (!(data8 === "longlived" || data8 === "shortlived" || data8 === null)) {
                          validate48.errors = [{ instancePath: instancePath + "/trace_tier", schemaPath: "#/properties/trace_tier/enum", keyword: "enum", params: { allowedValues: schema49.properties.trace_tier.enum }, message: "must be equal to one of the allowed values" }];
                          return false;
                        }
                        var valid0 = _errs18 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.num_examples !== void 0) {
                          let data9 = data.num_examples;
                          const _errs19 = errors;
                          if (!(typeof data9 == "number" && (!(data9 % 1) && !isNaN(data9)) && isFinite(data9)) && data9 !== null) {
                            validate48.errors = [{ instancePath: instancePath + "/num_examples", schemaPath: "#/properties/num_examples/type", keyword: "type", params: { type: schema49.properties.num_examples.type }, message: "must be integer,null" }];
                            return false;
                          }
                          var valid0 = _errs19 === errors;
                        } else {
                          var valid0 = true;
                        }
                        if (valid0) {
                          if (data.num_repetitions !== void 0) {
                            let data10 = data.num_repetitions;
                            const _errs21 = errors;
                            if (!(typeof data10 == "number" && (!(data10 % 1) && !isNaN(data10)) && isFinite(data10)) && data10 !== null) {
                              validate48.errors = [{ instancePath: instancePath + "/num_repetitions", schemaPath: "#/properties/num_repetitions/type", keyword: "type", params: { type: schema49.properties.num_repetitions.type }, message: "must be integer,null" }];
                              return false;
                            }
                            var valid0 = _errs21 === errors;
                          } else {
                            var valid0 = true;
                          }
                          if (valid0) {
                            if (data.evaluator_keys !== void 0) {
                              let data11 = data.evaluator_keys;
                              const _errs23 = errors;
                              const _errs24 = errors;
                              let valid1 = false;
                              const _errs25 = errors;
                              if (data11 !== null) {
                                const err0 = { instancePath: instancePath + "/evaluator_keys", schemaPath: "#/properties/evaluator_keys/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                                if (vErrors === null) {
                                  vErrors = [err0];
                                } else {
                                  vErrors.push(err0);
                                }
                                errors++;
                              }
                              var _valid0 = _errs25 === errors;
                              valid1 = valid1 || _valid0;
                              if (!valid1) {
                                const _errs27 = errors;
                                if (errors === _errs27) {
                                  if (Array.isArray(data11)) {
                                    if (data11.length > 1e3) {
                                      const err1 = { instancePath: instancePath + "/evaluator_keys", schemaPath: "#/properties/evaluator_keys/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
                                      if (vErrors === null) {
                                        vErrors = [err1];
                                      } else {
                                        vErrors.push(err1);
                                      }
                                      errors++;
                                    } else {
                                      var valid2 = true;
                                      const len0 = data11.length;
                                      for (let i0 = 0; i0 < len0; i0++) {
                                        const _errs29 = errors;
                                        if (typeof data11[i0] !== "string") {
                                          const err2 = { instancePath: instancePath + "/evaluator_keys/" + i0, schemaPath: "#/properties/evaluator_keys/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                          if (vErrors === null) {
                                            vErrors = [err2];
                                          } else {
                                            vErrors.push(err2);
                                          }
                                          errors++;
                                        }
                                        var valid2 = _errs29 === errors;
                                        if (!valid2) {
                                          break;
                                        }
                                      }
                                    }
                                  } else {
                                    const err3 = { instancePath: instancePath + "/evaluator_keys", schemaPath: "#/properties/evaluator_keys/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                    if (vErrors === null) {
                                      vErrors = [err3];
                                    } else {
                                      vErrors.push(err3);
                                    }
                                    errors++;
                                  }
                                }
                                var _valid0 = _errs27 === errors;
                                valid1 = valid1 || _valid0;
                              }
                              if (!valid1) {
                                const err4 = { instancePath: instancePath + "/evaluator_keys", schemaPath: "#/properties/evaluator_keys/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                                if (vErrors === null) {
                                  vErrors = [err4];
                                } else {
                                  vErrors.push(err4);
                                }
                                errors++;
                                validate48.errors = vErrors;
                                return false;
                              } else {
                                errors = _errs24;
                                if (vErrors !== null) {
                                  if (_errs24) {
                                    vErrors.length = _errs24;
                                  } else {
                                    vErrors = null;
                                  }
                                }
                              }
                              var valid0 = _errs23 === errors;
                            } else {
                              var valid0 = true;
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate48.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate48.errors = vErrors;
  return errors === 0;
}
var SessionDeleteQuery = validate49;
function validate49(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.session_ids === void 0 && (missing0 = "session_ids")) {
        validate49.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.session_ids !== void 0) {
          let data0 = data.session_ids;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (Array.isArray(data0)) {
              if (data0.length > 1e3) {
                validate49.errors = [{ instancePath: instancePath + "/session_ids", schemaPath: "#/properties/session_ids/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
                return false;
              } else {
                var valid1 = true;
                const len0 = data0.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  const _errs4 = errors;
                  if (typeof data0[i0] !== "string") {
                    validate49.errors = [{ instancePath: instancePath + "/session_ids/" + i0, schemaPath: "#/properties/session_ids/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                    return false;
                  }
                  var valid1 = _errs4 === errors;
                  if (!valid1) {
                    break;
                  }
                }
              }
            } else {
              validate49.errors = [{ instancePath: instancePath + "/session_ids", schemaPath: "#/properties/session_ids/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
              return false;
            }
          }
        }
      }
    } else {
      validate49.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate49.errors = vErrors;
  return errors === 0;
}
var SessionExportQuery = validate50;
var schema51 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "experiments/session-export", "title": "SessionExportQuery", "description": "An experiment as a file.", "type": "object", "properties": { "format": { "enum": ["jsonl", "csv"], "default": "jsonl", "description": "jsonl has everything and can be imported; csv is flat, for spreadsheets." } } };
function validate50(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.format === void 0) {
        data.format = "jsonl";
      }
      let data0 = data.format;
      if (!(data0 === "jsonl" || data0 === "csv")) {
        validate50.errors = [{ instancePath: instancePath + "/format", schemaPath: "#/properties/format/enum", keyword: "enum", params: { allowedValues: schema51.properties.format.enum }, message: "must be equal to one of the allowed values" }];
        return false;
      }
    } else {
      validate50.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate50.errors = vErrors;
  return errors === 0;
}
var SessionListQuery = validate51;
var schema52 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "experiments/session-list", "title": "SessionListQuery", "description": "Which experiments and projects, and in what order.", "type": "object", "properties": { "name": { "type": "string" }, "name_contains": { "type": "string" }, "id": { "type": "array", "items": { "type": "string" }, "maxItems": 1e3, "$comment": "repeated" }, "reference_dataset": { "type": "array", "items": { "type": "string" }, "maxItems": 1e3, "$comment": "repeated" }, "reference_free": { "type": "boolean" }, "metadata": { "type": "object", "description": "Contained in the metadata.", "additionalProperties": true }, "include_stats": { "type": "boolean", "description": "false leaves all statistics but run_count out." }, "dataset_version": { "type": "string" }, "sort_by": { "type": "string", "enum": ["name", "start_time", "last_run_start_time", "latency_p50", "latency_p99", "error_rate", "feedback"] }, "sort_by_desc": { "type": "boolean" }, "sort_by_feedback_key": { "type": "string" }, "sort_by_feedback_source": { "type": "string", "enum": ["session", "run"] }, "offset": { "type": "integer", "description": "Rows to leave out first.", "minimum": 0 }, "limit": { "type": "integer", "description": "100 without it.", "minimum": 1, "maximum": 1e4 } } };
function validate51(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.name !== void 0) {
        const _errs1 = errors;
        if (typeof data.name !== "string") {
          validate51.errors = [{ instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
          return false;
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.name_contains !== void 0) {
          const _errs3 = errors;
          if (typeof data.name_contains !== "string") {
            validate51.errors = [{ instancePath: instancePath + "/name_contains", schemaPath: "#/properties/name_contains/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
            return false;
          }
          var valid0 = _errs3 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.id !== void 0) {
            let data2 = data.id;
            const _errs5 = errors;
            if (errors === _errs5) {
              if (Array.isArray(data2)) {
                if (data2.length > 1e3) {
                  validate51.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
                  return false;
                } else {
                  var valid1 = true;
                  const len0 = data2.length;
                  for (let i0 = 0; i0 < len0; i0++) {
                    const _errs8 = errors;
                    if (typeof data2[i0] !== "string") {
                      validate51.errors = [{ instancePath: instancePath + "/id/" + i0, schemaPath: "#/properties/id/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                      return false;
                    }
                    var valid1 = _errs8 === errors;
                    if (!valid1) {
                      break;
                    }
                  }
                }
              } else {
                validate51.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                return false;
              }
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.reference_dataset !== void 0) {
              let data4 = data.reference_dataset;
              const _errs10 = errors;
              if (errors === _errs10) {
                if (Array.isArray(data4)) {
                  if (data4.length > 1e3) {
                    validate51.errors = [{ instancePath: instancePath + "/reference_dataset", schemaPath: "#/properties/reference_dataset/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
                    return false;
                  } else {
                    var valid2 = true;
                    const len1 = data4.length;
                    for (let i1 = 0; i1 < len1; i1++) {
                      const _errs13 = errors;
                      if (typeof data4[i1] !== "string") {
                        validate51.errors = [{ instancePath: instancePath + "/reference_dataset/" + i1, schemaPath: "#/properties/reference_dataset/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                        return false;
                      }
                      var valid2 = _errs13 === errors;
                      if (!valid2) {
                        break;
                      }
                    }
                  }
                } else {
                  validate51.errors = [{ instancePath: instancePath + "/reference_dataset", schemaPath: "#/properties/reference_dataset/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                  return false;
                }
              }
              var valid0 = _errs10 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.reference_free !== void 0) {
                const _errs15 = errors;
                if (typeof data.reference_free !== "boolean") {
                  validate51.errors = [{ instancePath: instancePath + "/reference_free", schemaPath: "#/properties/reference_free/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" }];
                  return false;
                }
                var valid0 = _errs15 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.metadata !== void 0) {
                  let data7 = data.metadata;
                  const _errs17 = errors;
                  if (errors === _errs17) {
                    if (!(data7 && typeof data7 == "object" && !Array.isArray(data7))) {
                      validate51.errors = [{ instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
                      return false;
                    }
                  }
                  var valid0 = _errs17 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.include_stats !== void 0) {
                    const _errs20 = errors;
                    if (typeof data.include_stats !== "boolean") {
                      validate51.errors = [{ instancePath: instancePath + "/include_stats", schemaPath: "#/properties/include_stats/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" }];
                      return false;
                    }
                    var valid0 = _errs20 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.dataset_version !== void 0) {
                      const _errs22 = errors;
                      if (typeof data.dataset_version !== "string") {
                        validate51.errors = [{ instancePath: instancePath + "/dataset_version", schemaPath: "#/properties/dataset_version/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                        return false;
                      }
                      var valid0 = _errs22 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.sort_by !== void 0) {
                        let data10 = data.sort_by;
                        const _errs24 = errors;
                        if (typeof data10 !== "string") {
                          validate51.errors = [{ instancePath: instancePath + "/sort_by", schemaPath: "#/properties/sort_by/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                          return false;
                        }
                        if (!(data10 === "name" || data10 === "start_time" || data10 === "last_run_start_time" || data10 === "latency_p50" || data10 === "latency_p99" || data10 === "error_rate" || data10 === "feedback")) {
                          validate51.errors = [{ instancePath: instancePath + "/sort_by", schemaPath: "#/properties/sort_by/enum", keyword: "enum", params: { allowedValues: schema52.properties.sort_by.enum }, message: "must be equal to one of the allowed values" }];
                          return false;
                        }
                        var valid0 = _errs24 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.sort_by_desc !== void 0) {
                          const _errs26 = errors;
                          if (typeof data.sort_by_desc !== "boolean") {
                            validate51.errors = [{ instancePath: instancePath + "/sort_by_desc", schemaPath: "#/properties/sort_by_desc/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" }];
                            return false;
                          }
                          var valid0 = _errs26 === errors;
                        } else {
                          var valid0 = true;
                        }
                        if (valid0) {
                          if (data.sort_by_feedback_key !== void 0) {
                            const _errs28 = errors;
                            if (typeof data.sort_by_feedback_key !== "string") {
                              validate51.errors = [{ instancePath: instancePath + "/sort_by_feedback_key", schemaPath: "#/properties/sort_by_feedback_key/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                              return false;
                            }
                            var valid0 = _errs28 === errors;
                          } else {
                            var valid0 = true;
                          }
                          if (valid0) {
                            if (data.sort_by_feedback_source !== void 0) {
                              let data13 = data.sort_by_feedback_source;
                              const _errs30 = errors;
                              if (typeof data13 !== "string") {
                                validate51.errors = [{ instancePath: instancePath + "/sort_by_feedback_source", schemaPath: "#/properties/sort_by_feedback_source/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                                return false;
                              }
                              if (!(data13 === "session" || data13 === "run")) {
                                validate51.errors = [{ instancePath: instancePath + "/sort_by_feedback_source", schemaPath: "#/properties/sort_by_feedback_source/enum", keyword: "enum", params: { allowedValues: schema52.properties.sort_by_feedback_source.enum }, message: "must be equal to one of the allowed values" }];
                                return false;
                              }
                              var valid0 = _errs30 === errors;
                            } else {
                              var valid0 = true;
                            }
                            if (valid0) {
                              if (data.offset !== void 0) {
                                let data14 = data.offset;
                                const _errs32 = errors;
                                if (!(typeof data14 == "number" && (!(data14 % 1) && !isNaN(data14)) && isFinite(data14))) {
                                  validate51.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
                                  return false;
                                }
                                if (errors === _errs32) {
                                  if (typeof data14 == "number" && isFinite(data14)) {
                                    if (data14 < 0 || isNaN(data14)) {
                                      validate51.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                                      return false;
                                    }
                                  }
                                }
                                var valid0 = _errs32 === errors;
                              } else {
                                var valid0 = true;
                              }
                              if (valid0) {
                                if (data.limit !== void 0) {
                                  let data15 = data.limit;
                                  const _errs34 = errors;
                                  if (!(typeof data15 == "number" && (!(data15 % 1) && !isNaN(data15)) && isFinite(data15))) {
                                    validate51.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
                                    return false;
                                  }
                                  if (errors === _errs34) {
                                    if (typeof data15 == "number" && isFinite(data15)) {
                                      if (data15 > 1e4 || isNaN(data15)) {
                                        validate51.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" }];
                                        return false;
                                      } else {
                                        if (data15 < 1 || isNaN(data15)) {
                                          validate51.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                                          return false;
                                        }
                                      }
                                    }
                                  }
                                  var valid0 = _errs34 === errors;
                                } else {
                                  var valid0 = true;
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate51.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate51.errors = vErrors;
  return errors === 0;
}
var SessionMetadataQuery = validate52;
function validate52(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.metadata_keys !== void 0) {
        let data0 = data.metadata_keys;
        const _errs1 = errors;
        if (errors === _errs1) {
          if (Array.isArray(data0)) {
            if (data0.length > 1e3) {
              validate52.errors = [{ instancePath: instancePath + "/metadata_keys", schemaPath: "#/properties/metadata_keys/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
              return false;
            } else {
              var valid1 = true;
              const len0 = data0.length;
              for (let i0 = 0; i0 < len0; i0++) {
                const _errs4 = errors;
                if (typeof data0[i0] !== "string") {
                  validate52.errors = [{ instancePath: instancePath + "/metadata_keys/" + i0, schemaPath: "#/properties/metadata_keys/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                  return false;
                }
                var valid1 = _errs4 === errors;
                if (!valid1) {
                  break;
                }
              }
            }
          } else {
            validate52.errors = [{ instancePath: instancePath + "/metadata_keys", schemaPath: "#/properties/metadata_keys/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
            return false;
          }
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.k !== void 0) {
          let data2 = data.k;
          const _errs6 = errors;
          if (!(typeof data2 == "number" && (!(data2 % 1) && !isNaN(data2)) && isFinite(data2))) {
            validate52.errors = [{ instancePath: instancePath + "/k", schemaPath: "#/properties/k/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
            return false;
          }
          if (errors === _errs6) {
            if (typeof data2 == "number" && isFinite(data2)) {
              if (data2 > 100 || isNaN(data2)) {
                validate52.errors = [{ instancePath: instancePath + "/k", schemaPath: "#/properties/k/maximum", keyword: "maximum", params: { comparison: "<=", limit: 100 }, message: "must be <= 100" }];
                return false;
              } else {
                if (data2 < 1 || isNaN(data2)) {
                  validate52.errors = [{ instancePath: instancePath + "/k", schemaPath: "#/properties/k/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                  return false;
                }
              }
            }
          }
          var valid0 = _errs6 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.root_runs_only !== void 0) {
            const _errs8 = errors;
            if (typeof data.root_runs_only !== "boolean") {
              validate52.errors = [{ instancePath: instancePath + "/root_runs_only", schemaPath: "#/properties/root_runs_only/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" }];
              return false;
            }
            var valid0 = _errs8 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.start_time !== void 0) {
              const _errs10 = errors;
              if (typeof data.start_time !== "string") {
                validate52.errors = [{ instancePath: instancePath + "/start_time", schemaPath: "#/properties/start_time/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
              var valid0 = _errs10 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate52.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate52.errors = vErrors;
  return errors === 0;
}
var SessionPatch = validate53;
var schema54 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "experiments/session-patch", "title": "SessionPatch", "description": "What is given and not null is changed.", "type": "object", "properties": { "name": { "type": ["string", "null"], "minLength": 1 }, "description": { "type": ["string", "null"] }, "extra": { "type": ["object", "null"], "additionalProperties": true }, "end_time": { "type": ["string", "null"] }, "default_dataset_id": { "type": ["string", "null"] }, "trace_tier": { "enum": ["longlived", "shortlived", null] }, "num_examples": { "type": ["integer", "null"] }, "num_repetitions": { "type": ["integer", "null"] }, "evaluator_keys": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" }, "maxItems": 1e3 }] } } };
function validate53(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.name !== void 0) {
        let data0 = data.name;
        const _errs1 = errors;
        if (typeof data0 !== "string" && data0 !== null) {
          validate53.errors = [{ instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: schema54.properties.name.type }, message: "must be string,null" }];
          return false;
        }
        if (errors === _errs1) {
          if (typeof data0 === "string") {
            if (func2(data0) < 1) {
              validate53.errors = [{ instancePath: instancePath + "/name", schemaPath: "#/properties/name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
              return false;
            }
          }
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.description !== void 0) {
          let data1 = data.description;
          const _errs3 = errors;
          if (typeof data1 !== "string" && data1 !== null) {
            validate53.errors = [{ instancePath: instancePath + "/description", schemaPath: "#/properties/description/type", keyword: "type", params: { type: schema54.properties.description.type }, message: "must be string,null" }];
            return false;
          }
          var valid0 = _errs3 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.extra !== void 0) {
            let data2 = data.extra;
            const _errs5 = errors;
            if (!(data2 && typeof data2 == "object" && !Array.isArray(data2)) && data2 !== null) {
              validate53.errors = [{ instancePath: instancePath + "/extra", schemaPath: "#/properties/extra/type", keyword: "type", params: { type: schema54.properties.extra.type }, message: "must be object,null" }];
              return false;
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.end_time !== void 0) {
              let data3 = data.end_time;
              const _errs8 = errors;
              if (typeof data3 !== "string" && data3 !== null) {
                validate53.errors = [{ instancePath: instancePath + "/end_time", schemaPath: "#/properties/end_time/type", keyword: "type", params: { type: schema54.properties.end_time.type }, message: "must be string,null" }];
                return false;
              }
              var valid0 = _errs8 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.default_dataset_id !== void 0) {
                let data4 = data.default_dataset_id;
                const _errs10 = errors;
                if (typeof data4 !== "string" && data4 !== null) {
                  validate53.errors = [{ instancePath: instancePath + "/default_dataset_id", schemaPath: "#/properties/default_dataset_id/type", keyword: "type", params: { type: schema54.properties.default_dataset_id.type }, message: "must be string,null" }];
                  return false;
                }
                var valid0 = _errs10 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.trace_tier !== void 0) {
                  let data5 = data.trace_tier;
                  const _errs12 = errors;
                  if (!(data5 === "longlived" || data5 === "shortlived" || data5 === null)) {
                    validate53.errors = [{ instancePath: instancePath + "/trace_tier", schemaPath: "#/properties/trace_tier/enum", keyword: "enum", params: { allowedValues: schema54.properties.trace_tier.enum }, message: "must be equal to one of the allowed values" }];
                    return false;
                  }
                  var valid0 = _errs12 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.num_examples !== void 0) {
                    let data6 = data.num_examples;
                    const _errs13 = errors;
                    if (!(typeof data6 == "number" && (!(data6 % 1) && !isNaN(data6)) && isFinite(data6)) && data6 !== null) {
                      validate53.errors = [{ instancePath: instancePath + "/num_examples", schemaPath: "#/properties/num_examples/type", keyword: "type", params: { type: schema54.properties.num_examples.type }, message: "must be integer,null" }];
                      return false;
                    }
                    var valid0 = _errs13 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.num_repetitions !== void 0) {
                      let data7 = data.num_repetitions;
                      const _errs15 = errors;
                      if (!(typeof data7 == "number" && (!(data7 % 1) && !isNaN(data7)) && isFinite(data7)) && data7 !== null) {
                        validate53.errors = [{ instancePath: instancePath + "/num_repetitions", schemaPath: "#/properties/num_repetitions/type", keyword: "type", params: { type: schema54.properties.num_repetitions.type }, message: "must be integer,null" }];
                        return false;
                      }
                      var valid0 = _errs15 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.evaluator_keys !== void 0) {
                        let data8 = data.evaluator_keys;
                        const _errs17 = errors;
                        const _errs18 = errors;
                        let valid1 = false;
                        const _errs19 = errors;
                        if (data8 !== null) {
                          const err0 = { instancePath: instancePath + "/evaluator_keys", schemaPath: "#/properties/evaluator_keys/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                          if (vErrors === null) {
                            vErrors = [err0];
                          } else {
                            vErrors.push(err0);
                          }
                          errors++;
                        }
                        var _valid0 = _errs19 === errors;
                        valid1 = valid1 || _valid0;
                        if (!valid1) {
                          const _errs21 = errors;
                          if (errors === _errs21) {
                            if (Array.isArray(data8)) {
                              if (data8.length > 1e3) {
                                const err1 = { instancePath: instancePath + "/evaluator_keys", schemaPath: "#/properties/evaluator_keys/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
                                if (vErrors === null) {
                                  vErrors = [err1];
                                } else {
                                  vErrors.push(err1);
                                }
                                errors++;
                              } else {
                                var valid2 = true;
                                const len0 = data8.length;
                                for (let i0 = 0; i0 < len0; i0++) {
                                  const _errs23 = errors;
                                  if (typeof data8[i0] !== "string") {
                                    const err2 = { instancePath: instancePath + "/evaluator_keys/" + i0, schemaPath: "#/properties/evaluator_keys/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                    if (vErrors === null) {
                                      vErrors = [err2];
                                    } else {
                                      vErrors.push(err2);
                                    }
                                    errors++;
                                  }
                                  var valid2 = _errs23 === errors;
                                  if (!valid2) {
                                    break;
                                  }
                                }
                              }
                            } else {
                              const err3 = { instancePath: instancePath + "/evaluator_keys", schemaPath: "#/properties/evaluator_keys/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                              if (vErrors === null) {
                                vErrors = [err3];
                              } else {
                                vErrors.push(err3);
                              }
                              errors++;
                            }
                          }
                          var _valid0 = _errs21 === errors;
                          valid1 = valid1 || _valid0;
                        }
                        if (!valid1) {
                          const err4 = { instancePath: instancePath + "/evaluator_keys", schemaPath: "#/properties/evaluator_keys/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                          if (vErrors === null) {
                            vErrors = [err4];
                          } else {
                            vErrors.push(err4);
                          }
                          errors++;
                          validate53.errors = vErrors;
                          return false;
                        } else {
                          errors = _errs18;
                          if (vErrors !== null) {
                            if (_errs18) {
                              vErrors.length = _errs18;
                            } else {
                              vErrors = null;
                            }
                          }
                        }
                        var valid0 = _errs17 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate53.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate53.errors = vErrors;
  return errors === 0;
}
var SessionQuery = validate54;
function validate54(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.include_stats !== void 0) {
        if (typeof data.include_stats !== "boolean") {
          validate54.errors = [{ instancePath: instancePath + "/include_stats", schemaPath: "#/properties/include_stats/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" }];
          return false;
        }
      }
    } else {
      validate54.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate54.errors = vErrors;
  return errors === 0;
}
var SessionCreateQuery = validate55;
function validate55(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.upsert !== void 0) {
        if (typeof data.upsert !== "boolean") {
          validate55.errors = [{ instancePath: instancePath + "/upsert", schemaPath: "#/properties/upsert/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" }];
          return false;
        }
      }
    } else {
      validate55.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate55.errors = vErrors;
  return errors === 0;
}
var FeedbackConfigCreate = validate56;
var schema57 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "feedback/config-create", "title": "FeedbackConfigCreate", "description": "How scores of a key are shown and compared.", "type": "object", "properties": { "feedback_key": { "type": "string", "minLength": 1, "maxLength": 180 }, "feedback_config": { "anyOf": [{ "type": "null" }, { "type": "object", "properties": { "type": { "enum": ["continuous", "categorical", "freeform", null] }, "min": { "type": ["number", "null"] }, "max": { "type": ["number", "null"] }, "categories": { "anyOf": [{ "type": "null" }, { "type": "array", "maxItems": 1e3, "items": { "type": "object", "properties": { "value": { "type": "number" }, "label": { "type": ["string", "null"] } }, "required": ["value"], "additionalProperties": true } }] } }, "additionalProperties": true }] }, "is_lower_score_better": { "type": ["boolean", "null"] } }, "required": ["feedback_key", "feedback_config"] };
function validate56(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.feedback_key === void 0 && (missing0 = "feedback_key") || data.feedback_config === void 0 && (missing0 = "feedback_config")) {
        validate56.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.feedback_key !== void 0) {
          let data0 = data.feedback_key;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (typeof data0 === "string") {
              if (func2(data0) > 180) {
                validate56.errors = [{ instancePath: instancePath + "/feedback_key", schemaPath: "#/properties/feedback_key/maxLength", keyword: "maxLength", params: { limit: 180 }, message: "must NOT have more than 180 characters" }];
                return false;
              } else {
                if (func2(data0) < 1) {
                  validate56.errors = [{ instancePath: instancePath + "/feedback_key", schemaPath: "#/properties/feedback_key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
                  return false;
                }
              }
            } else {
              validate56.errors = [{ instancePath: instancePath + "/feedback_key", schemaPath: "#/properties/feedback_key/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
              return false;
            }
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.feedback_config !== void 0) {
            let data1 = data.feedback_config;
            const _errs3 = errors;
            const _errs4 = errors;
            let valid1 = false;
            const _errs5 = errors;
            if (data1 !== null) {
              const err0 = { instancePath: instancePath + "/feedback_config", schemaPath: "#/properties/feedback_config/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
              if (vErrors === null) {
                vErrors = [err0];
              } else {
                vErrors.push(err0);
              }
              errors++;
            }
            var _valid0 = _errs5 === errors;
            valid1 = valid1 || _valid0;
            if (!valid1) {
              const _errs7 = errors;
              if (errors === _errs7) {
                if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
                  if (data1.type !== void 0) {
                    let data2 = data1.type;
                    const _errs10 = errors;
                    if (!(data2 === "continuous" || data2 === "categorical" || data2 === "freeform" || data2 === null)) {
                      const err1 = { instancePath: instancePath + "/feedback_config/type", schemaPath: "#/properties/feedback_config/anyOf/1/properties/type/enum", keyword: "enum", params: { allowedValues: schema57.properties.feedback_config.anyOf[1].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      if (vErrors === null) {
                        vErrors = [err1];
                      } else {
                        vErrors.push(err1);
                      }
                      errors++;
                    }
                    var valid2 = _errs10 === errors;
                  } else {
                    var valid2 = true;
                  }
                  if (valid2) {
                    if (data1.min !== void 0) {
                      let data3 = data1.min;
                      const _errs11 = errors;
                      if (!(typeof data3 == "number" && isFinite(data3)) && data3 !== null) {
                        const err2 = { instancePath: instancePath + "/feedback_config/min", schemaPath: "#/properties/feedback_config/anyOf/1/properties/min/type", keyword: "type", params: { type: schema57.properties.feedback_config.anyOf[1].properties.min.type }, message: "must be number,null" };
                        if (vErrors === null) {
                          vErrors = [err2];
                        } else {
                          vErrors.push(err2);
                        }
                        errors++;
                      }
                      var valid2 = _errs11 === errors;
                    } else {
                      var valid2 = true;
                    }
                    if (valid2) {
                      if (data1.max !== void 0) {
                        let data4 = data1.max;
                        const _errs13 = errors;
                        if (!(typeof data4 == "number" && isFinite(data4)) && data4 !== null) {
                          const err3 = { instancePath: instancePath + "/feedback_config/max", schemaPath: "#/properties/feedback_config/anyOf/1/properties/max/type", keyword: "type", params: { type: schema57.properties.feedback_config.anyOf[1].properties.max.type }, message: "must be number,null" };
                          if (vErrors === null) {
                            vErrors = [err3];
                          } else {
                            vErrors.push(err3);
                          }
                          errors++;
                        }
                        var valid2 = _errs13 === errors;
                      } else {
                        var valid2 = true;
                      }
                      if (valid2) {
                        if (data1.categories !== void 0) {
                          let data5 = data1.categories;
                          const _errs15 = errors;
                          const _errs16 = errors;
                          let valid3 = false;
                          const _errs17 = errors;
                          if (data5 !== null) {
                            const err4 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                            if (vErrors === null) {
                              vErrors = [err4];
                            } else {
                              vErrors.push(err4);
                            }
                            errors++;
                          }
                          var _valid1 = _errs17 === errors;
                          valid3 = valid3 || _valid1;
                          if (!valid3) {
                            const _errs19 = errors;
                            if (errors === _errs19) {
                              if (Array.isArray(data5)) {
                                if (data5.length > 1e3) {
                                  const err5 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
                                  if (vErrors === null) {
                                    vErrors = [err5];
                                  } else {
                                    vErrors.push(err5);
                                  }
                                  errors++;
                                } else {
                                  var valid4 = true;
                                  const len0 = data5.length;
                                  for (let i0 = 0; i0 < len0; i0++) {
                                    let data6 = data5[i0];
                                    const _errs21 = errors;
                                    if (errors === _errs21) {
                                      if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
                                        let missing1;
                                        if (data6.value === void 0 && (missing1 = "value")) {
                                          const err6 = { instancePath: instancePath + "/feedback_config/categories/" + i0, schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/required", keyword: "required", params: { missingProperty: missing1 }, message: "must have required property '" + missing1 + "'" };
                                          if (vErrors === null) {
                                            vErrors = [err6];
                                          } else {
                                            vErrors.push(err6);
                                          }
                                          errors++;
                                        } else {
                                          if (data6.value !== void 0) {
                                            let data7 = data6.value;
                                            const _errs24 = errors;
                                            if (!(typeof data7 == "number" && isFinite(data7))) {
                                              const err7 = { instancePath: instancePath + "/feedback_config/categories/" + i0 + "/value", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/properties/value/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                                              if (vErrors === null) {
                                                vErrors = [err7];
                                              } else {
                                                vErrors.push(err7);
                                              }
                                              errors++;
                                            }
                                            var valid5 = _errs24 === errors;
                                          } else {
                                            var valid5 = true;
                                          }
                                          if (valid5) {
                                            if (data6.label !== void 0) {
                                              let data8 = data6.label;
                                              const _errs26 = errors;
                                              if (typeof data8 !== "string" && data8 !== null) {
                                                const err8 = { instancePath: instancePath + "/feedback_config/categories/" + i0 + "/label", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/properties/label/type", keyword: "type", params: { type: schema57.properties.feedback_config.anyOf[1].properties.categories.anyOf[1].items.properties.label.type }, message: "must be string,null" };
                                                if (vErrors === null) {
                                                  vErrors = [err8];
                                                } else {
                                                  vErrors.push(err8);
                                                }
                                                errors++;
                                              }
                                              var valid5 = _errs26 === errors;
                                            } else {
                                              var valid5 = true;
                                            }
                                          }
                                        }
                                      } else {
                                        const err9 = { instancePath: instancePath + "/feedback_config/categories/" + i0, schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                                        if (vErrors === null) {
                                          vErrors = [err9];
                                        } else {
                                          vErrors.push(err9);
                                        }
                                        errors++;
                                      }
                                    }
                                    var valid4 = _errs21 === errors;
                                    if (!valid4) {
                                      break;
                                    }
                                  }
                                }
                              } else {
                                const err10 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                if (vErrors === null) {
                                  vErrors = [err10];
                                } else {
                                  vErrors.push(err10);
                                }
                                errors++;
                              }
                            }
                            var _valid1 = _errs19 === errors;
                            valid3 = valid3 || _valid1;
                          }
                          if (!valid3) {
                            const err11 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                            if (vErrors === null) {
                              vErrors = [err11];
                            } else {
                              vErrors.push(err11);
                            }
                            errors++;
                          } else {
                            errors = _errs16;
                            if (vErrors !== null) {
                              if (_errs16) {
                                vErrors.length = _errs16;
                              } else {
                                vErrors = null;
                              }
                            }
                          }
                          var valid2 = _errs15 === errors;
                        } else {
                          var valid2 = true;
                        }
                      }
                    }
                  }
                } else {
                  const err12 = { instancePath: instancePath + "/feedback_config", schemaPath: "#/properties/feedback_config/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  if (vErrors === null) {
                    vErrors = [err12];
                  } else {
                    vErrors.push(err12);
                  }
                  errors++;
                }
              }
              var _valid0 = _errs7 === errors;
              valid1 = valid1 || _valid0;
            }
            if (!valid1) {
              const err13 = { instancePath: instancePath + "/feedback_config", schemaPath: "#/properties/feedback_config/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
              validate56.errors = vErrors;
              return false;
            } else {
              errors = _errs4;
              if (vErrors !== null) {
                if (_errs4) {
                  vErrors.length = _errs4;
                } else {
                  vErrors = null;
                }
              }
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.is_lower_score_better !== void 0) {
              let data9 = data.is_lower_score_better;
              const _errs28 = errors;
              if (typeof data9 !== "boolean" && data9 !== null) {
                validate56.errors = [{ instancePath: instancePath + "/is_lower_score_better", schemaPath: "#/properties/is_lower_score_better/type", keyword: "type", params: { type: schema57.properties.is_lower_score_better.type }, message: "must be boolean,null" }];
                return false;
              }
              var valid0 = _errs28 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate56.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate56.errors = vErrors;
  return errors === 0;
}
var FeedbackConfigDeleteQuery = validate57;
function validate57(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.feedback_key === void 0 && (missing0 = "feedback_key")) {
        validate57.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.feedback_key !== void 0) {
          if (typeof data.feedback_key !== "string") {
            validate57.errors = [{ instancePath: instancePath + "/feedback_key", schemaPath: "#/properties/feedback_key/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
            return false;
          }
        }
      }
    } else {
      validate57.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate57.errors = vErrors;
  return errors === 0;
}
var FeedbackConfigListQuery = validate58;
function validate58(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.key !== void 0) {
        let data0 = data.key;
        const _errs1 = errors;
        if (errors === _errs1) {
          if (Array.isArray(data0)) {
            if (data0.length > 1e3) {
              validate58.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
              return false;
            } else {
              var valid1 = true;
              const len0 = data0.length;
              for (let i0 = 0; i0 < len0; i0++) {
                const _errs4 = errors;
                if (typeof data0[i0] !== "string") {
                  validate58.errors = [{ instancePath: instancePath + "/key/" + i0, schemaPath: "#/properties/key/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                  return false;
                }
                var valid1 = _errs4 === errors;
                if (!valid1) {
                  break;
                }
              }
            }
          } else {
            validate58.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
            return false;
          }
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.name_contains !== void 0) {
          const _errs6 = errors;
          if (typeof data.name_contains !== "string") {
            validate58.errors = [{ instancePath: instancePath + "/name_contains", schemaPath: "#/properties/name_contains/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
            return false;
          }
          var valid0 = _errs6 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.offset !== void 0) {
            let data3 = data.offset;
            const _errs8 = errors;
            if (!(typeof data3 == "number" && (!(data3 % 1) && !isNaN(data3)) && isFinite(data3))) {
              validate58.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
              return false;
            }
            if (errors === _errs8) {
              if (typeof data3 == "number" && isFinite(data3)) {
                if (data3 < 0 || isNaN(data3)) {
                  validate58.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                  return false;
                }
              }
            }
            var valid0 = _errs8 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.limit !== void 0) {
              let data4 = data.limit;
              const _errs10 = errors;
              if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4))) {
                validate58.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
                return false;
              }
              if (errors === _errs10) {
                if (typeof data4 == "number" && isFinite(data4)) {
                  if (data4 > 1e4 || isNaN(data4)) {
                    validate58.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" }];
                    return false;
                  } else {
                    if (data4 < 1 || isNaN(data4)) {
                      validate58.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                      return false;
                    }
                  }
                }
              }
              var valid0 = _errs10 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate58.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate58.errors = vErrors;
  return errors === 0;
}
var FeedbackConfigPatch = validate59;
var schema60 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "feedback/config-patch", "title": "FeedbackConfigPatch", "description": "What is given is changed.", "type": "object", "properties": { "feedback_key": { "type": "string", "minLength": 1, "maxLength": 180 }, "feedback_config": { "anyOf": [{ "type": "null" }, { "type": "object", "properties": { "type": { "enum": ["continuous", "categorical", "freeform", null] }, "min": { "type": ["number", "null"] }, "max": { "type": ["number", "null"] }, "categories": { "anyOf": [{ "type": "null" }, { "type": "array", "maxItems": 1e3, "items": { "type": "object", "properties": { "value": { "type": "number" }, "label": { "type": ["string", "null"] } }, "required": ["value"], "additionalProperties": true } }] } }, "additionalProperties": true }] }, "is_lower_score_better": { "type": ["boolean", "null"] }, "add_categories": { "anyOf": [{ "type": "null" }, { "type": "array", "maxItems": 1e3, "items": { "type": "object", "properties": { "value": { "type": "number" }, "label": { "type": ["string", "null"] } }, "required": ["value"], "additionalProperties": true } }], "description": "Categories that are added to those that are there." }, "remove_categories": { "anyOf": [{ "type": "null" }, { "type": "array", "maxItems": 1e3, "items": { "type": "number" } }], "description": "Values of categories that are taken away." } }, "required": ["feedback_key"] };
function validate59(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.feedback_key === void 0 && (missing0 = "feedback_key")) {
        validate59.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.feedback_key !== void 0) {
          let data0 = data.feedback_key;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (typeof data0 === "string") {
              if (func2(data0) > 180) {
                validate59.errors = [{ instancePath: instancePath + "/feedback_key", schemaPath: "#/properties/feedback_key/maxLength", keyword: "maxLength", params: { limit: 180 }, message: "must NOT have more than 180 characters" }];
                return false;
              } else {
                if (func2(data0) < 1) {
                  validate59.errors = [{ instancePath: instancePath + "/feedback_key", schemaPath: "#/properties/feedback_key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
                  return false;
                }
              }
            } else {
              validate59.errors = [{ instancePath: instancePath + "/feedback_key", schemaPath: "#/properties/feedback_key/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
              return false;
            }
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.feedback_config !== void 0) {
            let data1 = data.feedback_config;
            const _errs3 = errors;
            const _errs4 = errors;
            let valid1 = false;
            const _errs5 = errors;
            if (data1 !== null) {
              const err0 = { instancePath: instancePath + "/feedback_config", schemaPath: "#/properties/feedback_config/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
              if (vErrors === null) {
                vErrors = [err0];
              } else {
                vErrors.push(err0);
              }
              errors++;
            }
            var _valid0 = _errs5 === errors;
            valid1 = valid1 || _valid0;
            if (!valid1) {
              const _errs7 = errors;
              if (errors === _errs7) {
                if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
                  if (data1.type !== void 0) {
                    let data2 = data1.type;
                    const _errs10 = errors;
                    if (!(data2 === "continuous" || data2 === "categorical" || data2 === "freeform" || data2 === null)) {
                      const err1 = { instancePath: instancePath + "/feedback_config/type", schemaPath: "#/properties/feedback_config/anyOf/1/properties/type/enum", keyword: "enum", params: { allowedValues: schema60.properties.feedback_config.anyOf[1].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      if (vErrors === null) {
                        vErrors = [err1];
                      } else {
                        vErrors.push(err1);
                      }
                      errors++;
                    }
                    var valid2 = _errs10 === errors;
                  } else {
                    var valid2 = true;
                  }
                  if (valid2) {
                    if (data1.min !== void 0) {
                      let data3 = data1.min;
                      const _errs11 = errors;
                      if (!(typeof data3 == "number" && isFinite(data3)) && data3 !== null) {
                        const err2 = { instancePath: instancePath + "/feedback_config/min", schemaPath: "#/properties/feedback_config/anyOf/1/properties/min/type", keyword: "type", params: { type: schema60.properties.feedback_config.anyOf[1].properties.min.type }, message: "must be number,null" };
                        if (vErrors === null) {
                          vErrors = [err2];
                        } else {
                          vErrors.push(err2);
                        }
                        errors++;
                      }
                      var valid2 = _errs11 === errors;
                    } else {
                      var valid2 = true;
                    }
                    if (valid2) {
                      if (data1.max !== void 0) {
                        let data4 = data1.max;
                        const _errs13 = errors;
                        if (!(typeof data4 == "number" && isFinite(data4)) && data4 !== null) {
                          const err3 = { instancePath: instancePath + "/feedback_config/max", schemaPath: "#/properties/feedback_config/anyOf/1/properties/max/type", keyword: "type", params: { type: schema60.properties.feedback_config.anyOf[1].properties.max.type }, message: "must be number,null" };
                          if (vErrors === null) {
                            vErrors = [err3];
                          } else {
                            vErrors.push(err3);
                          }
                          errors++;
                        }
                        var valid2 = _errs13 === errors;
                      } else {
                        var valid2 = true;
                      }
                      if (valid2) {
                        if (data1.categories !== void 0) {
                          let data5 = data1.categories;
                          const _errs15 = errors;
                          const _errs16 = errors;
                          let valid3 = false;
                          const _errs17 = errors;
                          if (data5 !== null) {
                            const err4 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                            if (vErrors === null) {
                              vErrors = [err4];
                            } else {
                              vErrors.push(err4);
                            }
                            errors++;
                          }
                          var _valid1 = _errs17 === errors;
                          valid3 = valid3 || _valid1;
                          if (!valid3) {
                            const _errs19 = errors;
                            if (errors === _errs19) {
                              if (Array.isArray(data5)) {
                                if (data5.length > 1e3) {
                                  const err5 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
                                  if (vErrors === null) {
                                    vErrors = [err5];
                                  } else {
                                    vErrors.push(err5);
                                  }
                                  errors++;
                                } else {
                                  var valid4 = true;
                                  const len0 = data5.length;
                                  for (let i0 = 0; i0 < len0; i0++) {
                                    let data6 = data5[i0];
                                    const _errs21 = errors;
                                    if (errors === _errs21) {
                                      if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
                                        let missing1;
                                        if (data6.value === void 0 && (missing1 = "value")) {
                                          const err6 = { instancePath: instancePath + "/feedback_config/categories/" + i0, schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/required", keyword: "required", params: { missingProperty: missing1 }, message: "must have required property '" + missing1 + "'" };
                                          if (vErrors === null) {
                                            vErrors = [err6];
                                          } else {
                                            vErrors.push(err6);
                                          }
                                          errors++;
                                        } else {
                                          if (data6.value !== void 0) {
                                            let data7 = data6.value;
                                            const _errs24 = errors;
                                            if (!(typeof data7 == "number" && isFinite(data7))) {
                                              const err7 = { instancePath: instancePath + "/feedback_config/categories/" + i0 + "/value", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/properties/value/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                                              if (vErrors === null) {
                                                vErrors = [err7];
                                              } else {
                                                vErrors.push(err7);
                                              }
                                              errors++;
                                            }
                                            var valid5 = _errs24 === errors;
                                          } else {
                                            var valid5 = true;
                                          }
                                          if (valid5) {
                                            if (data6.label !== void 0) {
                                              let data8 = data6.label;
                                              const _errs26 = errors;
                                              if (typeof data8 !== "string" && data8 !== null) {
                                                const err8 = { instancePath: instancePath + "/feedback_config/categories/" + i0 + "/label", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/properties/label/type", keyword: "type", params: { type: schema60.properties.feedback_config.anyOf[1].properties.categories.anyOf[1].items.properties.label.type }, message: "must be string,null" };
                                                if (vErrors === null) {
                                                  vErrors = [err8];
                                                } else {
                                                  vErrors.push(err8);
                                                }
                                                errors++;
                                              }
                                              var valid5 = _errs26 === errors;
                                            } else {
                                              var valid5 = true;
                                            }
                                          }
                                        }
                                      } else {
                                        const err9 = { instancePath: instancePath + "/feedback_config/categories/" + i0, schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                                        if (vErrors === null) {
                                          vErrors = [err9];
                                        } else {
                                          vErrors.push(err9);
                                        }
                                        errors++;
                                      }
                                    }
                                    var valid4 = _errs21 === errors;
                                    if (!valid4) {
                                      break;
                                    }
                                  }
                                }
                              } else {
                                const err10 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                if (vErrors === null) {
                                  vErrors = [err10];
                                } else {
                                  vErrors.push(err10);
                                }
                                errors++;
                              }
                            }
                            var _valid1 = _errs19 === errors;
                            valid3 = valid3 || _valid1;
                          }
                          if (!valid3) {
                            const err11 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                            if (vErrors === null) {
                              vErrors = [err11];
                            } else {
                              vErrors.push(err11);
                            }
                            errors++;
                          } else {
                            errors = _errs16;
                            if (vErrors !== null) {
                              if (_errs16) {
                                vErrors.length = _errs16;
                              } else {
                                vErrors = null;
                              }
                            }
                          }
                          var valid2 = _errs15 === errors;
                        } else {
                          var valid2 = true;
                        }
                      }
                    }
                  }
                } else {
                  const err12 = { instancePath: instancePath + "/feedback_config", schemaPath: "#/properties/feedback_config/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  if (vErrors === null) {
                    vErrors = [err12];
                  } else {
                    vErrors.push(err12);
                  }
                  errors++;
                }
              }
              var _valid0 = _errs7 === errors;
              valid1 = valid1 || _valid0;
            }
            if (!valid1) {
              const err13 = { instancePath: instancePath + "/feedback_config", schemaPath: "#/properties/feedback_config/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
              validate59.errors = vErrors;
              return false;
            } else {
              errors = _errs4;
              if (vErrors !== null) {
                if (_errs4) {
                  vErrors.length = _errs4;
                } else {
                  vErrors = null;
                }
              }
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.is_lower_score_better !== void 0) {
              let data9 = data.is_lower_score_better;
              const _errs28 = errors;
              if (typeof data9 !== "boolean" && data9 !== null) {
                validate59.errors = [{ instancePath: instancePath + "/is_lower_score_better", schemaPath: "#/properties/is_lower_score_better/type", keyword: "type", params: { type: schema60.properties.is_lower_score_better.type }, message: "must be boolean,null" }];
                return false;
              }
              var valid0 = _errs28 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.add_categories !== void 0) {
                let data10 = data.add_categories;
                const _errs30 = errors;
                const _errs31 = errors;
                let valid6 = false;
                const _errs32 = errors;
                if (data10 !== null) {
                  const err14 = { instancePath: instancePath + "/add_categories", schemaPath: "#/properties/add_categories/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
                var _valid2 = _errs32 === errors;
                valid6 = valid6 || _valid2;
                if (!valid6) {
                  const _errs34 = errors;
                  if (errors === _errs34) {
                    if (Array.isArray(data10)) {
                      if (data10.length > 1e3) {
                        const err15 = { instancePath: instancePath + "/add_categories", schemaPath: "#/properties/add_categories/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
                        if (vErrors === null) {
                          vErrors = [err15];
                        } else {
                          vErrors.push(err15);
                        }
                        errors++;
                      } else {
                        var valid7 = true;
                        const len1 = data10.length;
                        for (let i1 = 0; i1 < len1; i1++) {
                          let data11 = data10[i1];
                          const _errs36 = errors;
                          if (errors === _errs36) {
                            if (data11 && typeof data11 == "object" && !Array.isArray(data11)) {
                              let missing2;
                              if (data11.value === void 0 && (missing2 = "value")) {
                                const err16 = { instancePath: instancePath + "/add_categories/" + i1, schemaPath: "#/properties/add_categories/anyOf/1/items/required", keyword: "required", params: { missingProperty: missing2 }, message: "must have required property '" + missing2 + "'" };
                                if (vErrors === null) {
                                  vErrors = [err16];
                                } else {
                                  vErrors.push(err16);
                                }
                                errors++;
                              } else {
                                if (data11.value !== void 0) {
                                  let data12 = data11.value;
                                  const _errs39 = errors;
                                  if (!(typeof data12 == "number" && isFinite(data12))) {
                                    const err17 = { instancePath: instancePath + "/add_categories/" + i1 + "/value", schemaPath: "#/properties/add_categories/anyOf/1/items/properties/value/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                                    if (vErrors === null) {
                                      vErrors = [err17];
                                    } else {
                                      vErrors.push(err17);
                                    }
                                    errors++;
                                  }
                                  var valid8 = _errs39 === errors;
                                } else {
                                  var valid8 = true;
                                }
                                if (valid8) {
                                  if (data11.label !== void 0) {
                                    let data13 = data11.label;
                                    const _errs41 = errors;
                                    if (typeof data13 !== "string" && data13 !== null) {
                                      const err18 = { instancePath: instancePath + "/add_categories/" + i1 + "/label", schemaPath: "#/properties/add_categories/anyOf/1/items/properties/label/type", keyword: "type", params: { type: schema60.properties.add_categories.anyOf[1].items.properties.label.type }, message: "must be string,null" };
                                      if (vErrors === null) {
                                        vErrors = [err18];
                                      } else {
                                        vErrors.push(err18);
                                      }
                                      errors++;
                                    }
                                    var valid8 = _errs41 === errors;
                                  } else {
                                    var valid8 = true;
                                  }
                                }
                              }
                            } else {
                              const err19 = { instancePath: instancePath + "/add_categories/" + i1, schemaPath: "#/properties/add_categories/anyOf/1/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                              if (vErrors === null) {
                                vErrors = [err19];
                              } else {
                                vErrors.push(err19);
                              }
                              errors++;
                            }
                          }
                          var valid7 = _errs36 === errors;
                          if (!valid7) {
                            break;
                          }
                        }
                      }
                    } else {
                      const err20 = { instancePath: instancePath + "/add_categories", schemaPath: "#/properties/add_categories/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                      if (vErrors === null) {
                        vErrors = [err20];
                      } else {
                        vErrors.push(err20);
                      }
                      errors++;
                    }
                  }
                  var _valid2 = _errs34 === errors;
                  valid6 = valid6 || _valid2;
                }
                if (!valid6) {
                  const err21 = { instancePath: instancePath + "/add_categories", schemaPath: "#/properties/add_categories/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                  if (vErrors === null) {
                    vErrors = [err21];
                  } else {
                    vErrors.push(err21);
                  }
                  errors++;
                  validate59.errors = vErrors;
                  return false;
                } else {
                  errors = _errs31;
                  if (vErrors !== null) {
                    if (_errs31) {
                      vErrors.length = _errs31;
                    } else {
                      vErrors = null;
                    }
                  }
                }
                var valid0 = _errs30 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.remove_categories !== void 0) {
                  let data14 = data.remove_categories;
                  const _errs43 = errors;
                  const _errs44 = errors;
                  let valid9 = false;
                  const _errs45 = errors;
                  if (data14 !== null) {
                    const err22 = { instancePath: instancePath + "/remove_categories", schemaPath: "#/properties/remove_categories/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                    if (vErrors === null) {
                      vErrors = [err22];
                    } else {
                      vErrors.push(err22);
                    }
                    errors++;
                  }
                  var _valid3 = _errs45 === errors;
                  valid9 = valid9 || _valid3;
                  if (!valid9) {
                    const _errs47 = errors;
                    if (errors === _errs47) {
                      if (Array.isArray(data14)) {
                        if (data14.length > 1e3) {
                          const err23 = { instancePath: instancePath + "/remove_categories", schemaPath: "#/properties/remove_categories/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
                          if (vErrors === null) {
                            vErrors = [err23];
                          } else {
                            vErrors.push(err23);
                          }
                          errors++;
                        } else {
                          var valid10 = true;
                          const len2 = data14.length;
                          for (let i2 = 0; i2 < len2; i2++) {
                            let data15 = data14[i2];
                            const _errs49 = errors;
                            if (!(typeof data15 == "number" && isFinite(data15))) {
                              const err24 = { instancePath: instancePath + "/remove_categories/" + i2, schemaPath: "#/properties/remove_categories/anyOf/1/items/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                              if (vErrors === null) {
                                vErrors = [err24];
                              } else {
                                vErrors.push(err24);
                              }
                              errors++;
                            }
                            var valid10 = _errs49 === errors;
                            if (!valid10) {
                              break;
                            }
                          }
                        }
                      } else {
                        const err25 = { instancePath: instancePath + "/remove_categories", schemaPath: "#/properties/remove_categories/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                        if (vErrors === null) {
                          vErrors = [err25];
                        } else {
                          vErrors.push(err25);
                        }
                        errors++;
                      }
                    }
                    var _valid3 = _errs47 === errors;
                    valid9 = valid9 || _valid3;
                  }
                  if (!valid9) {
                    const err26 = { instancePath: instancePath + "/remove_categories", schemaPath: "#/properties/remove_categories/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                    if (vErrors === null) {
                      vErrors = [err26];
                    } else {
                      vErrors.push(err26);
                    }
                    errors++;
                    validate59.errors = vErrors;
                    return false;
                  } else {
                    errors = _errs44;
                    if (vErrors !== null) {
                      if (_errs44) {
                        vErrors.length = _errs44;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                  var valid0 = _errs43 === errors;
                } else {
                  var valid0 = true;
                }
              }
            }
          }
        }
      }
    } else {
      validate59.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate59.errors = vErrors;
  return errors === 0;
}
var FeedbackCreate = validate60;
var schema61 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "feedback/feedback-create", "title": "FeedbackCreate", "description": "A score or remark on a run or an experiment.", "type": "object", "properties": { "key": { "type": "string", "minLength": 1, "maxLength": 180 }, "score": { "type": ["number", "boolean", "null"] }, "value": { "type": ["number", "boolean", "string", "object", "null"], "additionalProperties": true }, "comment": { "type": ["string", "null"] }, "correction": { "type": ["object", "string", "null"], "additionalProperties": true }, "feedback_source": { "anyOf": [{ "type": "null" }, { "type": "object", "properties": { "type": { "type": "string" }, "metadata": { "type": ["object", "null"], "additionalProperties": true } }, "required": ["type"], "additionalProperties": true }] }, "feedback_config": { "anyOf": [{ "type": "null" }, { "type": "object", "properties": { "type": { "enum": ["continuous", "categorical", "freeform", null] }, "min": { "type": ["number", "null"] }, "max": { "type": ["number", "null"] }, "categories": { "anyOf": [{ "type": "null" }, { "type": "array", "maxItems": 1e3, "items": { "type": "object", "properties": { "value": { "type": "number" }, "label": { "type": ["string", "null"] } }, "required": ["value"], "additionalProperties": true } }] } }, "additionalProperties": true }] }, "id": { "type": ["string", "null"], "description": "UUID." }, "created_at": { "type": ["string", "null"], "description": "ISO 8601, with an offset or as UTC, kept to the microsecond." }, "modified_at": { "type": ["string", "null"], "description": "ISO 8601, with an offset or as UTC, kept to the microsecond." }, "feedback_group_id": { "type": ["string", "null"] }, "comparative_experiment_id": { "type": ["string", "null"] }, "extra": { "type": ["object", "null"], "additionalProperties": true }, "run_id": { "type": ["string", "null"], "description": "UUID; without it the feedback is the experiment's." }, "session_id": { "type": ["string", "null"] }, "trace_id": { "type": ["string", "null"] }, "project_id": { "type": ["string", "null"] }, "feedbackConfig": { "anyOf": [{ "type": "null" }, { "type": "object", "properties": { "type": { "enum": ["continuous", "categorical", "freeform", null] }, "min": { "type": ["number", "null"] }, "max": { "type": ["number", "null"] }, "categories": { "anyOf": [{ "type": "null" }, { "type": "array", "maxItems": 1e3, "items": { "type": "object", "properties": { "value": { "type": "number" }, "label": { "type": ["string", "null"] } }, "required": ["value"], "additionalProperties": true } }] } }, "additionalProperties": true }] }, "error": { "type": ["boolean", "null"] }, "extend_trace_retention": { "type": ["boolean", "null"] }, "feedback_config_id": { "type": ["string", "null"] } }, "required": ["key"] };
function validate60(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.key === void 0 && (missing0 = "key")) {
        validate60.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.key !== void 0) {
          let data0 = data.key;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (typeof data0 === "string") {
              if (func2(data0) > 180) {
                validate60.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/maxLength", keyword: "maxLength", params: { limit: 180 }, message: "must NOT have more than 180 characters" }];
                return false;
              } else {
                if (func2(data0) < 1) {
                  validate60.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
                  return false;
                }
              }
            } else {
              validate60.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
              return false;
            }
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.score !== void 0) {
            let data1 = data.score;
            const _errs3 = errors;
            if (!(typeof data1 == "number" && isFinite(data1)) && typeof data1 !== "boolean" && data1 !== null) {
              validate60.errors = [{ instancePath: instancePath + "/score", schemaPath: "#/properties/score/type", keyword: "type", params: { type: schema61.properties.score.type }, message: "must be number,boolean,null" }];
              return false;
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.value !== void 0) {
              let data2 = data.value;
              const _errs5 = errors;
              if (!(typeof data2 == "number" && isFinite(data2)) && typeof data2 !== "boolean" && typeof data2 !== "string" && !(data2 && typeof data2 == "object" && !Array.isArray(data2)) && data2 !== null) {
                validate60.errors = [{ instancePath: instancePath + "/value", schemaPath: "#/properties/value/type", keyword: "type", params: { type: schema61.properties.value.type }, message: "must be number,boolean,string,object,null" }];
                return false;
              }
              var valid0 = _errs5 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.comment !== void 0) {
                let data3 = data.comment;
                const _errs8 = errors;
                if (typeof data3 !== "string" && data3 !== null) {
                  validate60.errors = [{ instancePath: instancePath + "/comment", schemaPath: "#/properties/comment/type", keyword: "type", params: { type: schema61.properties.comment.type }, message: "must be string,null" }];
                  return false;
                }
                var valid0 = _errs8 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.correction !== void 0) {
                  let data4 = data.correction;
                  const _errs10 = errors;
                  if (!(data4 && typeof data4 == "object" && !Array.isArray(data4)) && typeof data4 !== "string" && data4 !== null) {
                    validate60.errors = [{ instancePath: instancePath + "/correction", schemaPath: "#/properties/correction/type", keyword: "type", params: { type: schema61.properties.correction.type }, message: "must be object,string,null" }];
                    return false;
                  }
                  var valid0 = _errs10 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.feedback_source !== void 0) {
                    let data5 = data.feedback_source;
                    const _errs13 = errors;
                    const _errs14 = errors;
                    let valid1 = false;
                    const _errs15 = errors;
                    if (data5 !== null) {
                      const err0 = { instancePath: instancePath + "/feedback_source", schemaPath: "#/properties/feedback_source/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                      if (vErrors === null) {
                        vErrors = [err0];
                      } else {
                        vErrors.push(err0);
                      }
                      errors++;
                    }
                    var _valid0 = _errs15 === errors;
                    valid1 = valid1 || _valid0;
                    if (!valid1) {
                      const _errs17 = errors;
                      if (errors === _errs17) {
                        if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
                          let missing1;
                          if (data5.type === void 0 && (missing1 = "type")) {
                            const err1 = { instancePath: instancePath + "/feedback_source", schemaPath: "#/properties/feedback_source/anyOf/1/required", keyword: "required", params: { missingProperty: missing1 }, message: "must have required property '" + missing1 + "'" };
                            if (vErrors === null) {
                              vErrors = [err1];
                            } else {
                              vErrors.push(err1);
                            }
                            errors++;
                          } else {
                            if (data5.type !== void 0) {
                              const _errs20 = errors;
                              if (typeof data5.type !== "string") {
                                const err2 = { instancePath: instancePath + "/feedback_source/type", schemaPath: "#/properties/feedback_source/anyOf/1/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err2];
                                } else {
                                  vErrors.push(err2);
                                }
                                errors++;
                              }
                              var valid2 = _errs20 === errors;
                            } else {
                              var valid2 = true;
                            }
                            if (valid2) {
                              if (data5.metadata !== void 0) {
                                let data7 = data5.metadata;
                                const _errs22 = errors;
                                if (!(data7 && typeof data7 == "object" && !Array.isArray(data7)) && data7 !== null) {
                                  const err3 = { instancePath: instancePath + "/feedback_source/metadata", schemaPath: "#/properties/feedback_source/anyOf/1/properties/metadata/type", keyword: "type", params: { type: schema61.properties.feedback_source.anyOf[1].properties.metadata.type }, message: "must be object,null" };
                                  if (vErrors === null) {
                                    vErrors = [err3];
                                  } else {
                                    vErrors.push(err3);
                                  }
                                  errors++;
                                }
                                var valid2 = _errs22 === errors;
                              } else {
                                var valid2 = true;
                              }
                            }
                          }
                        } else {
                          const err4 = { instancePath: instancePath + "/feedback_source", schemaPath: "#/properties/feedback_source/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                          if (vErrors === null) {
                            vErrors = [err4];
                          } else {
                            vErrors.push(err4);
                          }
                          errors++;
                        }
                      }
                      var _valid0 = _errs17 === errors;
                      valid1 = valid1 || _valid0;
                    }
                    if (!valid1) {
                      const err5 = { instancePath: instancePath + "/feedback_source", schemaPath: "#/properties/feedback_source/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                      if (vErrors === null) {
                        vErrors = [err5];
                      } else {
                        vErrors.push(err5);
                      }
                      errors++;
                      validate60.errors = vErrors;
                      return false;
                    } else {
                      errors = _errs14;
                      if (vErrors !== null) {
                        if (_errs14) {
                          vErrors.length = _errs14;
                        } else {
                          vErrors = null;
                        }
                      }
                    }
                    var valid0 = _errs13 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.feedback_config !== void 0) {
                      let data8 = data.feedback_config;
                      const _errs25 = errors;
                      const _errs26 = errors;
                      let valid3 = false;
                      const _errs27 = errors;
                      if (data8 !== null) {
                        const err6 = { instancePath: instancePath + "/feedback_config", schemaPath: "#/properties/feedback_config/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                        if (vErrors === null) {
                          vErrors = [err6];
                        } else {
                          vErrors.push(err6);
                        }
                        errors++;
                      }
                      var _valid1 = _errs27 === errors;
                      valid3 = valid3 || _valid1;
                      if (!valid3) {
                        const _errs29 = errors;
                        if (errors === _errs29) {
                          if (data8 && typeof data8 == "object" && !Array.isArray(data8)) {
                            if (data8.type !== void 0) {
                              let data9 = data8.type;
                              const _errs32 = errors;
                              if (!(data9 === "continuous" || data9 === "categorical" || data9 === "freeform" || data9 === null)) {
                                const err7 = { instancePath: instancePath + "/feedback_config/type", schemaPath: "#/properties/feedback_config/anyOf/1/properties/type/enum", keyword: "enum", params: { allowedValues: schema61.properties.feedback_config.anyOf[1].properties.type.enum }, message: "must be equal to one of the allowed values" };
                                if (vErrors === null) {
                                  vErrors = [err7];
                                } else {
                                  vErrors.push(err7);
                                }
                                errors++;
                              }
                              var valid4 = _errs32 === errors;
                            } else {
                              var valid4 = true;
                            }
                            if (valid4) {
                              if (data8.min !== void 0) {
                                let data10 = data8.min;
                                const _errs33 = errors;
                                if (!(typeof data10 == "number" && isFinite(data10)) && data10 !== null) {
                                  const err8 = { instancePath: instancePath + "/feedback_config/min", schemaPath: "#/properties/feedback_config/anyOf/1/properties/min/type", keyword: "type", params: { type: schema61.properties.feedback_config.anyOf[1].properties.min.type }, message: "must be number,null" };
                                  if (vErrors === null) {
                                    vErrors = [err8];
                                  } else {
                                    vErrors.push(err8);
                                  }
                                  errors++;
                                }
                                var valid4 = _errs33 === errors;
                              } else {
                                var valid4 = true;
                              }
                              if (valid4) {
                                if (data8.max !== void 0) {
                                  let data11 = data8.max;
                                  const _errs35 = errors;
                                  if (!(typeof data11 == "number" && isFinite(data11)) && data11 !== null) {
                                    const err9 = { instancePath: instancePath + "/feedback_config/max", schemaPath: "#/properties/feedback_config/anyOf/1/properties/max/type", keyword: "type", params: { type: schema61.properties.feedback_config.anyOf[1].properties.max.type }, message: "must be number,null" };
                                    if (vErrors === null) {
                                      vErrors = [err9];
                                    } else {
                                      vErrors.push(err9);
                                    }
                                    errors++;
                                  }
                                  var valid4 = _errs35 === errors;
                                } else {
                                  var valid4 = true;
                                }
                                if (valid4) {
                                  if (data8.categories !== void 0) {
                                    let data12 = data8.categories;
                                    const _errs37 = errors;
                                    const _errs38 = errors;
                                    let valid5 = false;
                                    const _errs39 = errors;
                                    if (data12 !== null) {
                                      const err10 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                                      if (vErrors === null) {
                                        vErrors = [err10];
                                      } else {
                                        vErrors.push(err10);
                                      }
                                      errors++;
                                    }
                                    var _valid2 = _errs39 === errors;
                                    valid5 = valid5 || _valid2;
                                    if (!valid5) {
                                      const _errs41 = errors;
                                      if (errors === _errs41) {
                                        if (Array.isArray(data12)) {
                                          if (data12.length > 1e3) {
                                            const err11 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
                                            if (vErrors === null) {
                                              vErrors = [err11];
                                            } else {
                                              vErrors.push(err11);
                                            }
                                            errors++;
                                          } else {
                                            var valid6 = true;
                                            const len0 = data12.length;
                                            for (let i0 = 0; i0 < len0; i0++) {
                                              let data13 = data12[i0];
                                              const _errs43 = errors;
                                              if (errors === _errs43) {
                                                if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
                                                  let missing2;
                                                  if (data13.value === void 0 && (missing2 = "value")) {
                                                    const err12 = { instancePath: instancePath + "/feedback_config/categories/" + i0, schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/required", keyword: "required", params: { missingProperty: missing2 }, message: "must have required property '" + missing2 + "'" };
                                                    if (vErrors === null) {
                                                      vErrors = [err12];
                                                    } else {
                                                      vErrors.push(err12);
                                                    }
                                                    errors++;
                                                  } else {
                                                    if (data13.value !== void 0) {
                                                      let data14 = data13.value;
                                                      const _errs46 = errors;
                                                      if (!(typeof data14 == "number" && isFinite(data14))) {
                                                        const err13 = { instancePath: instancePath + "/feedback_config/categories/" + i0 + "/value", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/properties/value/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                                                        if (vErrors === null) {
                                                          vErrors = [err13];
                                                        } else {
                                                          vErrors.push(err13);
                                                        }
                                                        errors++;
                                                      }
                                                      var valid7 = _errs46 === errors;
                                                    } else {
                                                      var valid7 = true;
                                                    }
                                                    if (valid7) {
                                                      if (data13.label !== void 0) {
                                                        let data15 = data13.label;
                                                        const _errs48 = errors;
                                                        if (typeof data15 !== "string" && data15 !== null) {
                                                          const err14 = { instancePath: instancePath + "/feedback_config/categories/" + i0 + "/label", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/properties/label/type", keyword: "type", params: { type: schema61.properties.feedback_config.anyOf[1].properties.categories.anyOf[1].items.properties.label.type }, message: "must be string,null" };
                                                          if (vErrors === null) {
                                                            vErrors = [err14];
                                                          } else {
                                                            vErrors.push(err14);
                                                          }
                                                          errors++;
                                                        }
                                                        var valid7 = _errs48 === errors;
                                                      } else {
                                                        var valid7 = true;
                                                      }
                                                    }
                                                  }
                                                } else {
                                                  const err15 = { instancePath: instancePath + "/feedback_config/categories/" + i0, schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                                                  if (vErrors === null) {
                                                    vErrors = [err15];
                                                  } else {
                                                    vErrors.push(err15);
                                                  }
                                                  errors++;
                                                }
                                              }
                                              var valid6 = _errs43 === errors;
                                              if (!valid6) {
                                                break;
                                              }
                                            }
                                          }
                                        } else {
                                          const err16 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                          if (vErrors === null) {
                                            vErrors = [err16];
                                          } else {
                                            vErrors.push(err16);
                                          }
                                          errors++;
                                        }
                                      }
                                      var _valid2 = _errs41 === errors;
                                      valid5 = valid5 || _valid2;
                                    }
                                    if (!valid5) {
                                      const err17 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                                      if (vErrors === null) {
                                        vErrors = [err17];
                                      } else {
                                        vErrors.push(err17);
                                      }
                                      errors++;
                                    } else {
                                      errors = _errs38;
                                      if (vErrors !== null) {
                                        if (_errs38) {
                                          vErrors.length = _errs38;
                                        } else {
                                          vErrors = null;
                                        }
                                      }
                                    }
                                    var valid4 = _errs37 === errors;
                                  } else {
                                    var valid4 = true;
                                  }
                                }
                              }
                            }
                          } else {
                            const err18 = { instancePath: instancePath + "/feedback_config", schemaPath: "#/properties/feedback_config/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                            if (vErrors === null) {
                              vErrors = [err18];
                            } else {
                              vErrors.push(err18);
                            }
                            errors++;
                          }
                        }
                        var _valid1 = _errs29 === errors;
                        valid3 = valid3 || _valid1;
                      }
                      if (!valid3) {
                        const err19 = { instancePath: instancePath + "/feedback_config", schemaPath: "#/properties/feedback_config/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                        if (vErrors === null) {
                          vErrors = [err19];
                        } else {
                          vErrors.push(err19);
                        }
                        errors++;
                        validate60.errors = vErrors;
                        return false;
                      } else {
                        errors = _errs26;
                        if (vErrors !== null) {
                          if (_errs26) {
                            vErrors.length = _errs26;
                          } else {
                            vErrors = null;
                          }
                        }
                      }
                      var valid0 = _errs25 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.id !== void 0) {
                        let data16 = data.id;
                        const _errs50 = errors;
                        if (typeof data16 !== "string" && data16 !== null) {
                          validate60.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: schema61.properties.id.type }, message: "must be string,null" }];
                          return false;
                        }
                        var valid0 = _errs50 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.created_at !== void 0) {
                          let data17 = data.created_at;
                          const _errs52 = errors;
                          if (typeof data17 !== "string" && data17 !== null) {
                            validate60.errors = [{ instancePath: instancePath + "/created_at", schemaPath: "#/properties/created_at/type", keyword: "type", params: { type: schema61.properties.created_at.type }, message: "must be string,null" }];
                            return false;
                          }
                          var valid0 = _errs52 === errors;
                        } else {
                          var valid0 = true;
                        }
                        if (valid0) {
                          if (data.modified_at !== void 0) {
                            let data18 = data.modified_at;
                            const _errs54 = errors;
                            if (typeof data18 !== "string" && data18 !== null) {
                              validate60.errors = [{ instancePath: instancePath + "/modified_at", schemaPath: "#/properties/modified_at/type", keyword: "type", params: { type: schema61.properties.modified_at.type }, message: "must be string,null" }];
                              return false;
                            }
                            var valid0 = _errs54 === errors;
                          } else {
                            var valid0 = true;
                          }
                          if (valid0) {
                            if (data.feedback_group_id !== void 0) {
                              let data19 = data.feedback_group_id;
                              const _errs56 = errors;
                              if (typeof data19 !== "string" && data19 !== null) {
                                validate60.errors = [{ instancePath: instancePath + "/feedback_group_id", schemaPath: "#/properties/feedback_group_id/type", keyword: "type", params: { type: schema61.properties.feedback_group_id.type }, message: "must be string,null" }];
                                return false;
                              }
                              var valid0 = _errs56 === errors;
                            } else {
                              var valid0 = true;
                            }
                            if (valid0) {
                              if (data.comparative_experiment_id !== void 0) {
                                let data20 = data.comparative_experiment_id;
                                const _errs58 = errors;
                                if (typeof data20 !== "string" && data20 !== null) {
                                  validate60.errors = [{ instancePath: instancePath + "/comparative_experiment_id", schemaPath: "#/properties/comparative_experiment_id/type", keyword: "type", params: { type: schema61.properties.comparative_experiment_id.type }, message: "must be string,null" }];
                                  return false;
                                }
                                var valid0 = _errs58 === errors;
                              } else {
                                var valid0 = true;
                              }
                              if (valid0) {
                                if (data.extra !== void 0) {
                                  let data21 = data.extra;
                                  const _errs60 = errors;
                                  if (!(data21 && typeof data21 == "object" && !Array.isArray(data21)) && data21 !== null) {
                                    validate60.errors = [{ instancePath: instancePath + "/extra", schemaPath: "#/properties/extra/type", keyword: "type", params: { type: schema61.properties.extra.type }, message: "must be object,null" }];
                                    return false;
                                  }
                                  var valid0 = _errs60 === errors;
                                } else {
                                  var valid0 = true;
                                }
                                if (valid0) {
                                  if (data.run_id !== void 0) {
                                    let data22 = data.run_id;
                                    const _errs63 = errors;
                                    if (typeof data22 !== "string" && data22 !== null) {
                                      validate60.errors = [{ instancePath: instancePath + "/run_id", schemaPath: "#/properties/run_id/type", keyword: "type", params: { type: schema61.properties.run_id.type }, message: "must be string,null" }];
                                      return false;
                                    }
                                    var valid0 = _errs63 === errors;
                                  } else {
                                    var valid0 = true;
                                  }
                                  if (valid0) {
                                    if (data.session_id !== void 0) {
                                      let data23 = data.session_id;
                                      const _errs65 = errors;
                                      if (typeof data23 !== "string" && data23 !== null) {
                                        validate60.errors = [{ instancePath: instancePath + "/session_id", schemaPath: "#/properties/session_id/type", keyword: "type", params: { type: schema61.properties.session_id.type }, message: "must be string,null" }];
                                        return false;
                                      }
                                      var valid0 = _errs65 === errors;
                                    } else {
                                      var valid0 = true;
                                    }
                                    if (valid0) {
                                      if (data.trace_id !== void 0) {
                                        let data24 = data.trace_id;
                                        const _errs67 = errors;
                                        if (typeof data24 !== "string" && data24 !== null) {
                                          validate60.errors = [{ instancePath: instancePath + "/trace_id", schemaPath: "#/properties/trace_id/type", keyword: "type", params: { type: schema61.properties.trace_id.type }, message: "must be string,null" }];
                                          return false;
                                        }
                                        var valid0 = _errs67 === errors;
                                      } else {
                                        var valid0 = true;
                                      }
                                      if (valid0) {
                                        if (data.project_id !== void 0) {
                                          let data25 = data.project_id;
                                          const _errs69 = errors;
                                          if (typeof data25 !== "string" && data25 !== null) {
                                            validate60.errors = [{ instancePath: instancePath + "/project_id", schemaPath: "#/properties/project_id/type", keyword: "type", params: { type: schema61.properties.project_id.type }, message: "must be string,null" }];
                                            return false;
                                          }
                                          var valid0 = _errs69 === errors;
                                        } else {
                                          var valid0 = true;
                                        }
                                        if (valid0) {
                                          if (data.feedbackConfig !== void 0) {
                                            let data26 = data.feedbackConfig;
                                            const _errs71 = errors;
                                            const _errs72 = errors;
                                            let valid8 = false;
                                            const _errs73 = errors;
                                            if (data26 !== null) {
                                              const err20 = { instancePath: instancePath + "/feedbackConfig", schemaPath: "#/properties/feedbackConfig/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                                              if (vErrors === null) {
                                                vErrors = [err20];
                                              } else {
                                                vErrors.push(err20);
                                              }
                                              errors++;
                                            }
                                            var _valid3 = _errs73 === errors;
                                            valid8 = valid8 || _valid3;
                                            if (!valid8) {
                                              const _errs75 = errors;
                                              if (errors === _errs75) {
                                                if (data26 && typeof data26 == "object" && !Array.isArray(data26)) {
                                                  if (data26.type !== void 0) {
                                                    let data27 = data26.type;
                                                    const _errs78 = errors;
                                                    if (!(data27 === "continuous" || data27 === "categorical" || data27 === "freeform" || data27 === null)) {
                                                      const err21 = { instancePath: instancePath + "/feedbackConfig/type", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/type/enum", keyword: "enum", params: { allowedValues: schema61.properties.feedbackConfig.anyOf[1].properties.type.enum }, message: "must be equal to one of the allowed values" };
                                                      if (vErrors === null) {
                                                        vErrors = [err21];
                                                      } else {
                                                        vErrors.push(err21);
                                                      }
                                                      errors++;
                                                    }
                                                    var valid9 = _errs78 === errors;
                                                  } else {
                                                    var valid9 = true;
                                                  }
                                                  if (valid9) {
                                                    if (data26.min !== void 0) {
                                                      let data28 = data26.min;
                                                      const _errs79 = errors;
                                                      if (!(typeof data28 == "number" && isFinite(data28)) && data28 !== null) {
                                                        const err22 = { instancePath: instancePath + "/feedbackConfig/min", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/min/type", keyword: "type", params: { type: schema61.properties.feedbackConfig.anyOf[1].properties.min.type }, message: "must be number,null" };
                                                        if (vErrors === null) {
                                                          vErrors = [err22];
                                                        } else {
                                                          vErrors.push(err22);
                                                        }
                                                        errors++;
                                                      }
                                                      var valid9 = _errs79 === errors;
                                                    } else {
                                                      var valid9 = true;
                                                    }
                                                    if (valid9) {
                                                      if (data26.max !== void 0) {
                                                        let data29 = data26.max;
                                                        const _errs81 = errors;
                                                        if (!(typeof data29 == "number" && isFinite(data29)) && data29 !== null) {
                                                          const err23 = { instancePath: instancePath + "/feedbackConfig/max", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/max/type", keyword: "type", params: { type: schema61.properties.feedbackConfig.anyOf[1].properties.max.type }, message: "must be number,null" };
                                                          if (vErrors === null) {
                                                            vErrors = [err23];
                                                          } else {
                                                            vErrors.push(err23);
                                                          }
                                                          errors++;
                                                        }
                                                        var valid9 = _errs81 === errors;
                                                      } else {
                                                        var valid9 = true;
                                                      }
                                                      if (valid9) {
                                                        if (data26.categories !== void 0) {
                                                          let data30 = data26.categories;
                                                          const _errs83 = errors;
                                                          const _errs84 = errors;
                                                          let valid10 = false;
                                                          const _errs85 = errors;
                                                          if (data30 !== null) {
                                                            const err24 = { instancePath: instancePath + "/feedbackConfig/categories", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                                                            if (vErrors === null) {
                                                              vErrors = [err24];
                                                            } else {
                                                              vErrors.push(err24);
                                                            }
                                                            errors++;
                                                          }
                                                          var _valid4 = _errs85 === errors;
                                                          valid10 = valid10 || _valid4;
                                                          if (!valid10) {
                                                            const _errs87 = errors;
                                                            if (errors === _errs87) {
                                                              if (Array.isArray(data30)) {
                                                                if (data30.length > 1e3) {
                                                                  const err25 = { instancePath: instancePath + "/feedbackConfig/categories", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
                                                                  if (vErrors === null) {
                                                                    vErrors = [err25];
                                                                  } else {
                                                                    vErrors.push(err25);
                                                                  }
                                                                  errors++;
                                                                } else {
                                                                  var valid11 = true;
                                                                  const len1 = data30.length;
                                                                  for (let i1 = 0; i1 < len1; i1++) {
                                                                    let data31 = data30[i1];
                                                                    const _errs89 = errors;
                                                                    if (errors === _errs89) {
                                                                      if (data31 && typeof data31 == "object" && !Array.isArray(data31)) {
                                                                        let missing3;
                                                                        if (data31.value === void 0 && (missing3 = "value")) {
                                                                          const err26 = { instancePath: instancePath + "/feedbackConfig/categories/" + i1, schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf/1/items/required", keyword: "required", params: { missingProperty: missing3 }, message: "must have required property '" + missing3 + "'" };
                                                                          if (vErrors === null) {
                                                                            vErrors = [err26];
                                                                          } else {
                                                                            vErrors.push(err26);
                                                                          }
                                                                          errors++;
                                                                        } else {
                                                                          if (data31.value !== void 0) {
                                                                            let data32 = data31.value;
                                                                            const _errs92 = errors;
                                                                            if (!(typeof data32 == "number" && isFinite(data32))) {
                                                                              const err27 = { instancePath: instancePath + "/feedbackConfig/categories/" + i1 + "/value", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf/1/items/properties/value/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                                                                              if (vErrors === null) {
                                                                                vErrors = [err27];
                                                                              } else {
                                                                                vErrors.push(err27);
                                                                              }
                                                                              errors++;
                                                                            }
                                                                            var valid12 = _errs92 === errors;
                                                                          } else {
                                                                            var valid12 = true;
                                                                          }
                                                                          if (valid12) {
                                                                            if (data31.label !== void 0) {
                                                                              let data33 = data31.label;
                                                                              const _errs94 = errors;
                                                                              if (typeof data33 !== "string" && data33 !== null) {
                                                                                const err28 = { instancePath: instancePath + "/feedbackConfig/categories/" + i1 + "/label", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf/1/items/properties/label/type", keyword: "type", params: { type: schema61.properties.feedbackConfig.anyOf[1].properties.categories.anyOf[1].items.properties.label.type }, message: "must be string,null" };
                                                                                if (vErrors === null) {
                                                                                  vErrors = [err28];
                                                                                } else {
                                                                                  vErrors.push(err28);
                                                                                }
                                                                                errors++;
                                                                              }
                                                                              var valid12 = _errs94 === errors;
                                                                            } else {
                                                                              var valid12 = true;
                                                                            }
                                                                          }
                                                                        }
                                                                      } else {
                                                                        const err29 = { instancePath: instancePath + "/feedbackConfig/categories/" + i1, schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf/1/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                                                                        if (vErrors === null) {
                                                                          vErrors = [err29];
                                                                        } else {
                                                                          vErrors.push(err29);
                                                                        }
                                                                        errors++;
                                                                      }
                                                                    }
                                                                    var valid11 = _errs89 === errors;
                                                                    if (!valid11) {
                                                                      break;
                                                                    }
                                                                  }
                                                                }
                                                              } else {
                                                                const err30 = { instancePath: instancePath + "/feedbackConfig/categories", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                                                if (vErrors === null) {
                                                                  vErrors = [err30];
                                                                } else {
                                                                  vErrors.push(err30);
                                                                }
                                                                errors++;
                                                              }
                                                            }
                                                            var _valid4 = _errs87 === errors;
                                                            valid10 = valid10 || _valid4;
                                                          }
                                                          if (!valid10) {
                                                            const err31 = { instancePath: instancePath + "/feedbackConfig/categories", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                                                            if (vErrors === null) {
                                                              vErrors = [err31];
                                                            } else {
                                                              vErrors.push(err31);
                                                            }
                                                            errors++;
                                                          } else {
                                                            errors = _errs84;
                                                            if (vErrors !== null) {
                                                              if (_errs84) {
                                                                vErrors.length = _errs84;
                                                              } else {
                                                                vErrors = null;
                                                              }
                                                            }
                                                          }
                                                          var valid9 = _errs83 === errors;
                                                        } else {
                                                          var valid9 = true;
                                                        }
                                                      }
                                                    }
                                                  }
                                                } else {
                                                  const err32 = { instancePath: instancePath + "/feedbackConfig", schemaPath: "#/properties/feedbackConfig/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                                                  if (vErrors === null) {
                                                    vErrors = [err32];
                                                  } else {
                                                    vErrors.push(err32);
                                                  }
                                                  errors++;
                                                }
                                              }
                                              var _valid3 = _errs75 === errors;
                                              valid8 = valid8 || _valid3;
                                            }
                                            if (!valid8) {
                                              const err33 = { instancePath: instancePath + "/feedbackConfig", schemaPath: "#/properties/feedbackConfig/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                                              if (vErrors === null) {
                                                vErrors = [err33];
                                              } else {
                                                vErrors.push(err33);
                                              }
                                              errors++;
                                              validate60.errors = vErrors;
                                              return false;
                                            } else {
                                              errors = _errs72;
                                              if (vErrors !== null) {
                                                if (_errs72) {
                                                  vErrors.length = _errs72;
                                                } else {
                                                  vErrors = null;
                                                }
                                              }
                                            }
                                            var valid0 = _errs71 === errors;
                                          } else {
                                            var valid0 = true;
                                          }
                                          if (valid0) {
                                            if (data.error !== void 0) {
                                              let data34 = data.error;
                                              const _errs96 = errors;
                                              if (typeof data34 !== "boolean" && data34 !== null) {
                                                validate60.errors = [{ instancePath: instancePath + "/error", schemaPath: "#/properties/error/type", keyword: "type", params: { type: schema61.properties.error.type }, message: "must be boolean,null" }];
                                                return false;
                                              }
                                              var valid0 = _errs96 === errors;
                                            } else {
                                              var valid0 = true;
                                            }
                                            if (valid0) {
                                              if (data.extend_trace_retention !== void 0) {
                                                let data35 = data.extend_trace_retention;
                                                const _errs98 = errors;
                                                if (typeof data35 !== "boolean" && data35 !== null) {
                                                  validate60.errors = [{ instancePath: instancePath + "/extend_trace_retention", schemaPath: "#/properties/extend_trace_retention/type", keyword: "type", params: { type: schema61.properties.extend_trace_retention.type }, message: "must be boolean,null" }];
                                                  return false;
                                                }
                                                var valid0 = _errs98 === errors;
                                              } else {
                                                var valid0 = true;
                                              }
                                              if (valid0) {
                                                if (data.feedback_config_id !== void 0) {
                                                  let data36 = data.feedback_config_id;
                                                  const _errs100 = errors;
                                                  if (typeof data36 !== "string" && data36 !== null) {
                                                    validate60.errors = [{ instancePath: instancePath + "/feedback_config_id", schemaPath: "#/properties/feedback_config_id/type", keyword: "type", params: { type: schema61.properties.feedback_config_id.type }, message: "must be string,null" }];
                                                    return false;
                                                  }
                                                  var valid0 = _errs100 === errors;
                                                } else {
                                                  var valid0 = true;
                                                }
                                              }
                                            }
                                          }
                                        }
                                      }
                                    }
                                  }
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate60.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate60.errors = vErrors;
  return errors === 0;
}
var FeedbackListQuery = validate61;
var schema62 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "feedback/feedback-list", "title": "FeedbackListQuery", "description": "Which feedback; newest first.", "type": "object", "properties": { "run": { "type": "array", "items": { "type": "string" }, "maxItems": 1e4, "$comment": "repeated" }, "session": { "type": "array", "items": { "type": "string" }, "maxItems": 1e3, "$comment": "repeated" }, "key": { "type": "array", "items": { "type": "string" }, "maxItems": 1e3, "$comment": "repeated" }, "source": { "type": "array", "items": { "type": "string" }, "maxItems": 1e3, "$comment": "repeated" }, "level": { "type": "string", "enum": ["run", "session"] }, "has_comment": { "type": "boolean" }, "has_score": { "type": "boolean" }, "min_created_at": { "type": "string" }, "max_created_at": { "type": "string" }, "comparative_experiment_id": { "type": "string" }, "offset": { "type": "integer", "description": "Rows to leave out first.", "minimum": 0 }, "limit": { "type": "integer", "description": "100 without it.", "minimum": 1, "maximum": 1e4 } } };
function validate61(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.run !== void 0) {
        let data0 = data.run;
        const _errs1 = errors;
        if (errors === _errs1) {
          if (Array.isArray(data0)) {
            if (data0.length > 1e4) {
              validate61.errors = [{ instancePath: instancePath + "/run", schemaPath: "#/properties/run/maxItems", keyword: "maxItems", params: { limit: 1e4 }, message: "must NOT have more than 10000 items" }];
              return false;
            } else {
              var valid1 = true;
              const len0 = data0.length;
              for (let i0 = 0; i0 < len0; i0++) {
                const _errs4 = errors;
                if (typeof data0[i0] !== "string") {
                  validate61.errors = [{ instancePath: instancePath + "/run/" + i0, schemaPath: "#/properties/run/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                  return false;
                }
                var valid1 = _errs4 === errors;
                if (!valid1) {
                  break;
                }
              }
            }
          } else {
            validate61.errors = [{ instancePath: instancePath + "/run", schemaPath: "#/properties/run/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
            return false;
          }
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.session !== void 0) {
          let data2 = data.session;
          const _errs6 = errors;
          if (errors === _errs6) {
            if (Array.isArray(data2)) {
              if (data2.length > 1e3) {
                validate61.errors = [{ instancePath: instancePath + "/session", schemaPath: "#/properties/session/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
                return false;
              } else {
                var valid2 = true;
                const len1 = data2.length;
                for (let i1 = 0; i1 < len1; i1++) {
                  const _errs9 = errors;
                  if (typeof data2[i1] !== "string") {
                    validate61.errors = [{ instancePath: instancePath + "/session/" + i1, schemaPath: "#/properties/session/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                    return false;
                  }
                  var valid2 = _errs9 === errors;
                  if (!valid2) {
                    break;
                  }
                }
              }
            } else {
              validate61.errors = [{ instancePath: instancePath + "/session", schemaPath: "#/properties/session/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
              return false;
            }
          }
          var valid0 = _errs6 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.key !== void 0) {
            let data4 = data.key;
            const _errs11 = errors;
            if (errors === _errs11) {
              if (Array.isArray(data4)) {
                if (data4.length > 1e3) {
                  validate61.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
                  return false;
                } else {
                  var valid3 = true;
                  const len2 = data4.length;
                  for (let i2 = 0; i2 < len2; i2++) {
                    const _errs14 = errors;
                    if (typeof data4[i2] !== "string") {
                      validate61.errors = [{ instancePath: instancePath + "/key/" + i2, schemaPath: "#/properties/key/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                      return false;
                    }
                    var valid3 = _errs14 === errors;
                    if (!valid3) {
                      break;
                    }
                  }
                }
              } else {
                validate61.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                return false;
              }
            }
            var valid0 = _errs11 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.source !== void 0) {
              let data6 = data.source;
              const _errs16 = errors;
              if (errors === _errs16) {
                if (Array.isArray(data6)) {
                  if (data6.length > 1e3) {
                    validate61.errors = [{ instancePath: instancePath + "/source", schemaPath: "#/properties/source/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" }];
                    return false;
                  } else {
                    var valid4 = true;
                    const len3 = data6.length;
                    for (let i3 = 0; i3 < len3; i3++) {
                      const _errs19 = errors;
                      if (typeof data6[i3] !== "string") {
                        validate61.errors = [{ instancePath: instancePath + "/source/" + i3, schemaPath: "#/properties/source/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                        return false;
                      }
                      var valid4 = _errs19 === errors;
                      if (!valid4) {
                        break;
                      }
                    }
                  }
                } else {
                  validate61.errors = [{ instancePath: instancePath + "/source", schemaPath: "#/properties/source/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                  return false;
                }
              }
              var valid0 = _errs16 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.level !== void 0) {
                let data8 = data.level;
                const _errs21 = errors;
                if (typeof data8 !== "string") {
                  validate61.errors = [{ instancePath: instancePath + "/level", schemaPath: "#/properties/level/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                  return false;
                }
                if (!(data8 === "run" || data8 === "session")) {
                  validate61.errors = [{ instancePath: instancePath + "/level", schemaPath: "#/properties/level/enum", keyword: "enum", params: { allowedValues: schema62.properties.level.enum }, message: "must be equal to one of the allowed values" }];
                  return false;
                }
                var valid0 = _errs21 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.has_comment !== void 0) {
                  const _errs23 = errors;
                  if (typeof data.has_comment !== "boolean") {
                    validate61.errors = [{ instancePath: instancePath + "/has_comment", schemaPath: "#/properties/has_comment/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" }];
                    return false;
                  }
                  var valid0 = _errs23 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.has_score !== void 0) {
                    const _errs25 = errors;
                    if (typeof data.has_score !== "boolean") {
                      validate61.errors = [{ instancePath: instancePath + "/has_score", schemaPath: "#/properties/has_score/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" }];
                      return false;
                    }
                    var valid0 = _errs25 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.min_created_at !== void 0) {
                      const _errs27 = errors;
                      if (typeof data.min_created_at !== "string") {
                        validate61.errors = [{ instancePath: instancePath + "/min_created_at", schemaPath: "#/properties/min_created_at/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                        return false;
                      }
                      var valid0 = _errs27 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.max_created_at !== void 0) {
                        const _errs29 = errors;
                        if (typeof data.max_created_at !== "string") {
                          validate61.errors = [{ instancePath: instancePath + "/max_created_at", schemaPath: "#/properties/max_created_at/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                          return false;
                        }
                        var valid0 = _errs29 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.comparative_experiment_id !== void 0) {
                          const _errs31 = errors;
                          if (typeof data.comparative_experiment_id !== "string") {
                            validate61.errors = [{ instancePath: instancePath + "/comparative_experiment_id", schemaPath: "#/properties/comparative_experiment_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                            return false;
                          }
                          var valid0 = _errs31 === errors;
                        } else {
                          var valid0 = true;
                        }
                        if (valid0) {
                          if (data.offset !== void 0) {
                            let data14 = data.offset;
                            const _errs33 = errors;
                            if (!(typeof data14 == "number" && (!(data14 % 1) && !isNaN(data14)) && isFinite(data14))) {
                              validate61.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
                              return false;
                            }
                            if (errors === _errs33) {
                              if (typeof data14 == "number" && isFinite(data14)) {
                                if (data14 < 0 || isNaN(data14)) {
                                  validate61.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                                  return false;
                                }
                              }
                            }
                            var valid0 = _errs33 === errors;
                          } else {
                            var valid0 = true;
                          }
                          if (valid0) {
                            if (data.limit !== void 0) {
                              let data15 = data.limit;
                              const _errs35 = errors;
                              if (!(typeof data15 == "number" && (!(data15 % 1) && !isNaN(data15)) && isFinite(data15))) {
                                validate61.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
                                return false;
                              }
                              if (errors === _errs35) {
                                if (typeof data15 == "number" && isFinite(data15)) {
                                  if (data15 > 1e4 || isNaN(data15)) {
                                    validate61.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" }];
                                    return false;
                                  } else {
                                    if (data15 < 1 || isNaN(data15)) {
                                      validate61.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                                      return false;
                                    }
                                  }
                                }
                              }
                              var valid0 = _errs35 === errors;
                            } else {
                              var valid0 = true;
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate61.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate61.errors = vErrors;
  return errors === 0;
}
var FeedbackPatch = validate62;
var schema63 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "feedback/feedback-patch", "title": "FeedbackPatch", "description": "What is given is changed; null clears.", "type": "object", "properties": { "score": { "type": ["number", "boolean", "null"] }, "value": { "type": ["number", "boolean", "string", "object", "null"], "additionalProperties": true }, "comment": { "type": ["string", "null"] }, "correction": { "type": ["object", "string", "null"], "additionalProperties": true }, "feedback_config": { "anyOf": [{ "type": "null" }, { "type": "object", "properties": { "type": { "enum": ["continuous", "categorical", "freeform", null] }, "min": { "type": ["number", "null"] }, "max": { "type": ["number", "null"] }, "categories": { "anyOf": [{ "type": "null" }, { "type": "array", "maxItems": 1e3, "items": { "type": "object", "properties": { "value": { "type": "number" }, "label": { "type": ["string", "null"] } }, "required": ["value"], "additionalProperties": true } }] } }, "additionalProperties": true }] }, "feedbackConfig": { "anyOf": [{ "type": "null" }, { "type": "object", "properties": { "type": { "enum": ["continuous", "categorical", "freeform", null] }, "min": { "type": ["number", "null"] }, "max": { "type": ["number", "null"] }, "categories": { "anyOf": [{ "type": "null" }, { "type": "array", "maxItems": 1e3, "items": { "type": "object", "properties": { "value": { "type": "number" }, "label": { "type": ["string", "null"] } }, "required": ["value"], "additionalProperties": true } }] } }, "additionalProperties": true }] } } };
function validate62(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.score !== void 0) {
        let data0 = data.score;
        const _errs1 = errors;
        if (!(typeof data0 == "number" && isFinite(data0)) && typeof data0 !== "boolean" && data0 !== null) {
          validate62.errors = [{ instancePath: instancePath + "/score", schemaPath: "#/properties/score/type", keyword: "type", params: { type: schema63.properties.score.type }, message: "must be number,boolean,null" }];
          return false;
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.value !== void 0) {
          let data1 = data.value;
          const _errs3 = errors;
          if (!(typeof data1 == "number" && isFinite(data1)) && typeof data1 !== "boolean" && typeof data1 !== "string" && !(data1 && typeof data1 == "object" && !Array.isArray(data1)) && data1 !== null) {
            validate62.errors = [{ instancePath: instancePath + "/value", schemaPath: "#/properties/value/type", keyword: "type", params: { type: schema63.properties.value.type }, message: "must be number,boolean,string,object,null" }];
            return false;
          }
          var valid0 = _errs3 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.comment !== void 0) {
            let data2 = data.comment;
            const _errs6 = errors;
            if (typeof data2 !== "string" && data2 !== null) {
              validate62.errors = [{ instancePath: instancePath + "/comment", schemaPath: "#/properties/comment/type", keyword: "type", params: { type: schema63.properties.comment.type }, message: "must be string,null" }];
              return false;
            }
            var valid0 = _errs6 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.correction !== void 0) {
              let data3 = data.correction;
              const _errs8 = errors;
              if (!(data3 && typeof data3 == "object" && !Array.isArray(data3)) && typeof data3 !== "string" && data3 !== null) {
                validate62.errors = [{ instancePath: instancePath + "/correction", schemaPath: "#/properties/correction/type", keyword: "type", params: { type: schema63.properties.correction.type }, message: "must be object,string,null" }];
                return false;
              }
              var valid0 = _errs8 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.feedback_config !== void 0) {
                let data4 = data.feedback_config;
                const _errs11 = errors;
                const _errs12 = errors;
                let valid1 = false;
                const _errs13 = errors;
                if (data4 !== null) {
                  const err0 = { instancePath: instancePath + "/feedback_config", schemaPath: "#/properties/feedback_config/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                  if (vErrors === null) {
                    vErrors = [err0];
                  } else {
                    vErrors.push(err0);
                  }
                  errors++;
                }
                var _valid0 = _errs13 === errors;
                valid1 = valid1 || _valid0;
                if (!valid1) {
                  const _errs15 = errors;
                  if (errors === _errs15) {
                    if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
                      if (data4.type !== void 0) {
                        let data5 = data4.type;
                        const _errs18 = errors;
                        if (!(data5 === "continuous" || data5 === "categorical" || data5 === "freeform" || data5 === null)) {
                          const err1 = { instancePath: instancePath + "/feedback_config/type", schemaPath: "#/properties/feedback_config/anyOf/1/properties/type/enum", keyword: "enum", params: { allowedValues: schema63.properties.feedback_config.anyOf[1].properties.type.enum }, message: "must be equal to one of the allowed values" };
                          if (vErrors === null) {
                            vErrors = [err1];
                          } else {
                            vErrors.push(err1);
                          }
                          errors++;
                        }
                        var valid2 = _errs18 === errors;
                      } else {
                        var valid2 = true;
                      }
                      if (valid2) {
                        if (data4.min !== void 0) {
                          let data6 = data4.min;
                          const _errs19 = errors;
                          if (!(typeof data6 == "number" && isFinite(data6)) && data6 !== null) {
                            const err2 = { instancePath: instancePath + "/feedback_config/min", schemaPath: "#/properties/feedback_config/anyOf/1/properties/min/type", keyword: "type", params: { type: schema63.properties.feedback_config.anyOf[1].properties.min.type }, message: "must be number,null" };
                            if (vErrors === null) {
                              vErrors = [err2];
                            } else {
                              vErrors.push(err2);
                            }
                            errors++;
                          }
                          var valid2 = _errs19 === errors;
                        } else {
                          var valid2 = true;
                        }
                        if (valid2) {
                          if (data4.max !== void 0) {
                            let data7 = data4.max;
                            const _errs21 = errors;
                            if (!(typeof data7 == "number" && isFinite(data7)) && data7 !== null) {
                              const err3 = { instancePath: instancePath + "/feedback_config/max", schemaPath: "#/properties/feedback_config/anyOf/1/properties/max/type", keyword: "type", params: { type: schema63.properties.feedback_config.anyOf[1].properties.max.type }, message: "must be number,null" };
                              if (vErrors === null) {
                                vErrors = [err3];
                              } else {
                                vErrors.push(err3);
                              }
                              errors++;
                            }
                            var valid2 = _errs21 === errors;
                          } else {
                            var valid2 = true;
                          }
                          if (valid2) {
                            if (data4.categories !== void 0) {
                              let data8 = data4.categories;
                              const _errs23 = errors;
                              const _errs24 = errors;
                              let valid3 = false;
                              const _errs25 = errors;
                              if (data8 !== null) {
                                const err4 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                                if (vErrors === null) {
                                  vErrors = [err4];
                                } else {
                                  vErrors.push(err4);
                                }
                                errors++;
                              }
                              var _valid1 = _errs25 === errors;
                              valid3 = valid3 || _valid1;
                              if (!valid3) {
                                const _errs27 = errors;
                                if (errors === _errs27) {
                                  if (Array.isArray(data8)) {
                                    if (data8.length > 1e3) {
                                      const err5 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
                                      if (vErrors === null) {
                                        vErrors = [err5];
                                      } else {
                                        vErrors.push(err5);
                                      }
                                      errors++;
                                    } else {
                                      var valid4 = true;
                                      const len0 = data8.length;
                                      for (let i0 = 0; i0 < len0; i0++) {
                                        let data9 = data8[i0];
                                        const _errs29 = errors;
                                        if (errors === _errs29) {
                                          if (data9 && typeof data9 == "object" && !Array.isArray(data9)) {
                                            let missing0;
                                            if (data9.value === void 0 && (missing0 = "value")) {
                                              const err6 = { instancePath: instancePath + "/feedback_config/categories/" + i0, schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" };
                                              if (vErrors === null) {
                                                vErrors = [err6];
                                              } else {
                                                vErrors.push(err6);
                                              }
                                              errors++;
                                            } else {
                                              if (data9.value !== void 0) {
                                                let data10 = data9.value;
                                                const _errs32 = errors;
                                                if (!(typeof data10 == "number" && isFinite(data10))) {
                                                  const err7 = { instancePath: instancePath + "/feedback_config/categories/" + i0 + "/value", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/properties/value/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                                                  if (vErrors === null) {
                                                    vErrors = [err7];
                                                  } else {
                                                    vErrors.push(err7);
                                                  }
                                                  errors++;
                                                }
                                                var valid5 = _errs32 === errors;
                                              } else {
                                                var valid5 = true;
                                              }
                                              if (valid5) {
                                                if (data9.label !== void 0) {
                                                  let data11 = data9.label;
                                                  const _errs34 = errors;
                                                  if (typeof data11 !== "string" && data11 !== null) {
                                                    const err8 = { instancePath: instancePath + "/feedback_config/categories/" + i0 + "/label", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/properties/label/type", keyword: "type", params: { type: schema63.properties.feedback_config.anyOf[1].properties.categories.anyOf[1].items.properties.label.type }, message: "must be string,null" };
                                                    if (vErrors === null) {
                                                      vErrors = [err8];
                                                    } else {
                                                      vErrors.push(err8);
                                                    }
                                                    errors++;
                                                  }
                                                  var valid5 = _errs34 === errors;
                                                } else {
                                                  var valid5 = true;
                                                }
                                              }
                                            }
                                          } else {
                                            const err9 = { instancePath: instancePath + "/feedback_config/categories/" + i0, schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                                            if (vErrors === null) {
                                              vErrors = [err9];
                                            } else {
                                              vErrors.push(err9);
                                            }
                                            errors++;
                                          }
                                        }
                                        var valid4 = _errs29 === errors;
                                        if (!valid4) {
                                          break;
                                        }
                                      }
                                    }
                                  } else {
                                    const err10 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                    if (vErrors === null) {
                                      vErrors = [err10];
                                    } else {
                                      vErrors.push(err10);
                                    }
                                    errors++;
                                  }
                                }
                                var _valid1 = _errs27 === errors;
                                valid3 = valid3 || _valid1;
                              }
                              if (!valid3) {
                                const err11 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                                if (vErrors === null) {
                                  vErrors = [err11];
                                } else {
                                  vErrors.push(err11);
                                }
                                errors++;
                              } else {
                                errors = _errs24;
                                if (vErrors !== null) {
                                  if (_errs24) {
                                    vErrors.length = _errs24;
                                  } else {
                                    vErrors = null;
                                  }
                                }
                              }
                              var valid2 = _errs23 === errors;
                            } else {
                              var valid2 = true;
                            }
                          }
                        }
                      }
                    } else {
                      const err12 = { instancePath: instancePath + "/feedback_config", schemaPath: "#/properties/feedback_config/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                      if (vErrors === null) {
                        vErrors = [err12];
                      } else {
                        vErrors.push(err12);
                      }
                      errors++;
                    }
                  }
                  var _valid0 = _errs15 === errors;
                  valid1 = valid1 || _valid0;
                }
                if (!valid1) {
                  const err13 = { instancePath: instancePath + "/feedback_config", schemaPath: "#/properties/feedback_config/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                  if (vErrors === null) {
                    vErrors = [err13];
                  } else {
                    vErrors.push(err13);
                  }
                  errors++;
                  validate62.errors = vErrors;
                  return false;
                } else {
                  errors = _errs12;
                  if (vErrors !== null) {
                    if (_errs12) {
                      vErrors.length = _errs12;
                    } else {
                      vErrors = null;
                    }
                  }
                }
                var valid0 = _errs11 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.feedbackConfig !== void 0) {
                  let data12 = data.feedbackConfig;
                  const _errs36 = errors;
                  const _errs37 = errors;
                  let valid6 = false;
                  const _errs38 = errors;
                  if (data12 !== null) {
                    const err14 = { instancePath: instancePath + "/feedbackConfig", schemaPath: "#/properties/feedbackConfig/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                    if (vErrors === null) {
                      vErrors = [err14];
                    } else {
                      vErrors.push(err14);
                    }
                    errors++;
                  }
                  var _valid2 = _errs38 === errors;
                  valid6 = valid6 || _valid2;
                  if (!valid6) {
                    const _errs40 = errors;
                    if (errors === _errs40) {
                      if (data12 && typeof data12 == "object" && !Array.isArray(data12)) {
                        if (data12.type !== void 0) {
                          let data13 = data12.type;
                          const _errs43 = errors;
                          if (!(data13 === "continuous" || data13 === "categorical" || data13 === "freeform" || data13 === null)) {
                            const err15 = { instancePath: instancePath + "/feedbackConfig/type", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/type/enum", keyword: "enum", params: { allowedValues: schema63.properties.feedbackConfig.anyOf[1].properties.type.enum }, message: "must be equal to one of the allowed values" };
                            if (vErrors === null) {
                              vErrors = [err15];
                            } else {
                              vErrors.push(err15);
                            }
                            errors++;
                          }
                          var valid7 = _errs43 === errors;
                        } else {
                          var valid7 = true;
                        }
                        if (valid7) {
                          if (data12.min !== void 0) {
                            let data14 = data12.min;
                            const _errs44 = errors;
                            if (!(typeof data14 == "number" && isFinite(data14)) && data14 !== null) {
                              const err16 = { instancePath: instancePath + "/feedbackConfig/min", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/min/type", keyword: "type", params: { type: schema63.properties.feedbackConfig.anyOf[1].properties.min.type }, message: "must be number,null" };
                              if (vErrors === null) {
                                vErrors = [err16];
                              } else {
                                vErrors.push(err16);
                              }
                              errors++;
                            }
                            var valid7 = _errs44 === errors;
                          } else {
                            var valid7 = true;
                          }
                          if (valid7) {
                            if (data12.max !== void 0) {
                              let data15 = data12.max;
                              const _errs46 = errors;
                              if (!(typeof data15 == "number" && isFinite(data15)) && data15 !== null) {
                                const err17 = { instancePath: instancePath + "/feedbackConfig/max", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/max/type", keyword: "type", params: { type: schema63.properties.feedbackConfig.anyOf[1].properties.max.type }, message: "must be number,null" };
                                if (vErrors === null) {
                                  vErrors = [err17];
                                } else {
                                  vErrors.push(err17);
                                }
                                errors++;
                              }
                              var valid7 = _errs46 === errors;
                            } else {
                              var valid7 = true;
                            }
                            if (valid7) {
                              if (data12.categories !== void 0) {
                                let data16 = data12.categories;
                                const _errs48 = errors;
                                const _errs49 = errors;
                                let valid8 = false;
                                const _errs50 = errors;
                                if (data16 !== null) {
                                  const err18 = { instancePath: instancePath + "/feedbackConfig/categories", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                                  if (vErrors === null) {
                                    vErrors = [err18];
                                  } else {
                                    vErrors.push(err18);
                                  }
                                  errors++;
                                }
                                var _valid3 = _errs50 === errors;
                                valid8 = valid8 || _valid3;
                                if (!valid8) {
                                  const _errs52 = errors;
                                  if (errors === _errs52) {
                                    if (Array.isArray(data16)) {
                                      if (data16.length > 1e3) {
                                        const err19 = { instancePath: instancePath + "/feedbackConfig/categories", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
                                        if (vErrors === null) {
                                          vErrors = [err19];
                                        } else {
                                          vErrors.push(err19);
                                        }
                                        errors++;
                                      } else {
                                        var valid9 = true;
                                        const len1 = data16.length;
                                        for (let i1 = 0; i1 < len1; i1++) {
                                          let data17 = data16[i1];
                                          const _errs54 = errors;
                                          if (errors === _errs54) {
                                            if (data17 && typeof data17 == "object" && !Array.isArray(data17)) {
                                              let missing1;
                                              if (data17.value === void 0 && (missing1 = "value")) {
                                                const err20 = { instancePath: instancePath + "/feedbackConfig/categories/" + i1, schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf/1/items/required", keyword: "required", params: { missingProperty: missing1 }, message: "must have required property '" + missing1 + "'" };
                                                if (vErrors === null) {
                                                  vErrors = [err20];
                                                } else {
                                                  vErrors.push(err20);
                                                }
                                                errors++;
                                              } else {
                                                if (data17.value !== void 0) {
                                                  let data18 = data17.value;
                                                  const _errs57 = errors;
                                                  if (!(typeof data18 == "number" && isFinite(data18))) {
                                                    const err21 = { instancePath: instancePath + "/feedbackConfig/categories/" + i1 + "/value", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf/1/items/properties/value/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                                                    if (vErrors === null) {
                                                      vErrors = [err21];
                                                    } else {
                                                      vErrors.push(err21);
                                                    }
                                                    errors++;
                                                  }
                                                  var valid10 = _errs57 === errors;
                                                } else {
                                                  var valid10 = true;
                                                }
                                                if (valid10) {
                                                  if (data17.label !== void 0) {
                                                    let data19 = data17.label;
                                                    const _errs59 = errors;
                                                    if (typeof data19 !== "string" && data19 !== null) {
                                                      const err22 = { instancePath: instancePath + "/feedbackConfig/categories/" + i1 + "/label", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf/1/items/properties/label/type", keyword: "type", params: { type: schema63.properties.feedbackConfig.anyOf[1].properties.categories.anyOf[1].items.properties.label.type }, message: "must be string,null" };
                                                      if (vErrors === null) {
                                                        vErrors = [err22];
                                                      } else {
                                                        vErrors.push(err22);
                                                      }
                                                      errors++;
                                                    }
                                                    var valid10 = _errs59 === errors;
                                                  } else {
                                                    var valid10 = true;
                                                  }
                                                }
                                              }
                                            } else {
                                              const err23 = { instancePath: instancePath + "/feedbackConfig/categories/" + i1, schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf/1/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                                              if (vErrors === null) {
                                                vErrors = [err23];
                                              } else {
                                                vErrors.push(err23);
                                              }
                                              errors++;
                                            }
                                          }
                                          var valid9 = _errs54 === errors;
                                          if (!valid9) {
                                            break;
                                          }
                                        }
                                      }
                                    } else {
                                      const err24 = { instancePath: instancePath + "/feedbackConfig/categories", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                      if (vErrors === null) {
                                        vErrors = [err24];
                                      } else {
                                        vErrors.push(err24);
                                      }
                                      errors++;
                                    }
                                  }
                                  var _valid3 = _errs52 === errors;
                                  valid8 = valid8 || _valid3;
                                }
                                if (!valid8) {
                                  const err25 = { instancePath: instancePath + "/feedbackConfig/categories", schemaPath: "#/properties/feedbackConfig/anyOf/1/properties/categories/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                                  if (vErrors === null) {
                                    vErrors = [err25];
                                  } else {
                                    vErrors.push(err25);
                                  }
                                  errors++;
                                } else {
                                  errors = _errs49;
                                  if (vErrors !== null) {
                                    if (_errs49) {
                                      vErrors.length = _errs49;
                                    } else {
                                      vErrors = null;
                                    }
                                  }
                                }
                                var valid7 = _errs48 === errors;
                              } else {
                                var valid7 = true;
                              }
                            }
                          }
                        }
                      } else {
                        const err26 = { instancePath: instancePath + "/feedbackConfig", schemaPath: "#/properties/feedbackConfig/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                        if (vErrors === null) {
                          vErrors = [err26];
                        } else {
                          vErrors.push(err26);
                        }
                        errors++;
                      }
                    }
                    var _valid2 = _errs40 === errors;
                    valid6 = valid6 || _valid2;
                  }
                  if (!valid6) {
                    const err27 = { instancePath: instancePath + "/feedbackConfig", schemaPath: "#/properties/feedbackConfig/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                    if (vErrors === null) {
                      vErrors = [err27];
                    } else {
                      vErrors.push(err27);
                    }
                    errors++;
                    validate62.errors = vErrors;
                    return false;
                  } else {
                    errors = _errs37;
                    if (vErrors !== null) {
                      if (_errs37) {
                        vErrors.length = _errs37;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                  var valid0 = _errs36 === errors;
                } else {
                  var valid0 = true;
                }
              }
            }
          }
        }
      }
    } else {
      validate62.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate62.errors = vErrors;
  return errors === 0;
}
var RunCancelQuery = validate63;
var schema64 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "runs/run-cancel-query", "title": "RunCancelQuery", "description": "How to cancel a run.", "type": "object", "properties": { "wait": { "type": "boolean", "default": false }, "action": { "type": "string", "enum": ["interrupt", "rollback"], "default": "interrupt" } } };
function validate63(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.wait === void 0) {
        data.wait = false;
      }
      if (data.action === void 0) {
        data.action = "interrupt";
      }
      const _errs1 = errors;
      if (typeof data.wait !== "boolean") {
        validate63.errors = [{ instancePath: instancePath + "/wait", schemaPath: "#/properties/wait/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" }];
        return false;
      }
      var valid0 = _errs1 === errors;
      if (valid0) {
        let data1 = data.action;
        const _errs3 = errors;
        if (typeof data1 !== "string") {
          validate63.errors = [{ instancePath: instancePath + "/action", schemaPath: "#/properties/action/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
          return false;
        }
        if (!(data1 === "interrupt" || data1 === "rollback")) {
          validate63.errors = [{ instancePath: instancePath + "/action", schemaPath: "#/properties/action/enum", keyword: "enum", params: { allowedValues: schema64.properties.action.enum }, message: "must be equal to one of the allowed values" }];
          return false;
        }
        var valid0 = _errs3 === errors;
      }
    } else {
      validate63.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate63.errors = vErrors;
  return errors === 0;
}
var RunCreate = validate64;
var schema65 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "runs/run-create", "title": "RunCreate", "description": "What a run is asked to do. Fields that are not listed are ignored.", "type": "object", "properties": { "assistant_id": { "type": "string", "minLength": 1, "description": "Id of an assistant, or the name of a graph." }, "input": { "description": "Input of the graph, any JSON. Null or absent on a thread with a checkpoint: go on from there." }, "command": { "description": "Overrides input: answer interrupts, change state, jump.", "type": ["object", "null"], "properties": { "update": { "anyOf": [{ "type": "null" }, { "type": "object", "additionalProperties": true }, { "type": "array", "items": { "type": "array", "minItems": 2, "maxItems": 2 } }] }, "resume": { "description": "The answer, or a map of interrupt ids to answers." }, "goto": { "anyOf": [{ "type": "null" }, { "type": "string" }, { "$ref": "#/definitions/send" }, { "type": "array", "items": { "anyOf": [{ "type": "string" }, { "$ref": "#/definitions/send" }] } }] } }, "additionalProperties": true }, "checkpoint": { "type": ["object", "null"], "description": "Start from this checkpoint.", "properties": { "thread_id": { "type": ["string", "null"] }, "checkpoint_id": { "type": ["string", "null"] }, "checkpoint_ns": { "type": ["string", "null"] }, "checkpoint_map": { "type": ["object", "null"], "additionalProperties": true } }, "additionalProperties": true }, "checkpoint_id": { "type": ["string", "null"] }, "metadata": { "type": ["object", "null"], "additionalProperties": true, "description": "Kept on the run and merged into the metadata of its checkpoints." }, "config": { "type": ["object", "null"], "properties": { "tags": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" } }] }, "recursion_limit": { "type": ["integer", "null"], "minimum": 1, "maximum": 1e6 }, "configurable": { "type": ["object", "null"], "additionalProperties": true }, "metadata": { "type": ["object", "null"], "additionalProperties": true } }, "additionalProperties": true }, "context": { "description": "Static context of the run; merged over the assistant's." }, "webhook": { "type": ["string", "null"], "minLength": 1, "maxLength": 65536 }, "interrupt_before": { "description": '"*" for every node, or a list of node names.', "anyOf": [{ "type": "null" }, { "type": "string" }, { "type": "array", "items": { "type": "string" } }] }, "interrupt_after": { "description": '"*" for every node, or a list of node names.', "anyOf": [{ "type": "null" }, { "type": "string" }, { "type": "array", "items": { "type": "string" } }] }, "stream_mode": { "description": "One mode or a list. Default values.", "anyOf": [{ "type": "null" }, { "type": "string", "enum": ["values", "messages", "messages-tuple", "tasks", "checkpoints", "updates", "events", "debug", "custom", "tools"] }, { "type": "array", "items": { "type": "string", "enum": ["values", "messages", "messages-tuple", "tasks", "checkpoints", "updates", "events", "debug", "custom", "tools"] }, "maxItems": 20 }] }, "stream_subgraphs": { "type": ["boolean", "null"], "description": "Also stream what happens inside subgraphs; event names then carry the namespace." }, "stream_resumable": { "type": ["boolean", "null"], "description": "Keep the events so that readers can come back with Last-Event-ID." }, "on_disconnect": { "enum": ["cancel", "continue", null], "description": "What happens to the run when the client that streams or waits goes away. Default continue." }, "feedback_keys": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" } }] }, "multitask_strategy": { "enum": ["reject", "rollback", "interrupt", "enqueue", null], "description": "What to do when the thread has a run already. Default enqueue." }, "if_not_exists": { "enum": ["create", "reject", null], "description": "What to do when there is no such thread. Default reject." }, "after_seconds": { "type": ["number", "null"], "minimum": 0, "maximum": 31536e3 }, "durability": { "enum": ["sync", "async", "exit", null], "description": "When checkpoints are stored. Default async." }, "checkpoint_during": { "type": ["boolean", "null"], "description": "Deprecated: false is durability exit." }, "on_completion": { "type": ["string", "null"], "description": "Of a run without a thread: keep leaves its thread behind. Anything else removes it." }, "strict_resume": { "type": ["boolean", "null"], "description": "Fail a resume that names an interrupt which is not waiting." } }, "required": ["assistant_id"], "additionalProperties": true, "definitions": { "send": { "type": "object", "properties": { "node": { "type": "string" }, "input": {} }, "required": ["node"], "additionalProperties": true } } };
function validate64(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.assistant_id === void 0 && (missing0 = "assistant_id")) {
        validate64.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.assistant_id !== void 0) {
          let data0 = data.assistant_id;
          const _errs2 = errors;
          if (errors === _errs2) {
            if (typeof data0 === "string") {
              if (func2(data0) < 1) {
                validate64.errors = [{ instancePath: instancePath + "/assistant_id", schemaPath: "#/properties/assistant_id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
                return false;
              }
            } else {
              validate64.errors = [{ instancePath: instancePath + "/assistant_id", schemaPath: "#/properties/assistant_id/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
              return false;
            }
          }
          var valid0 = _errs2 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.command !== void 0) {
            let data1 = data.command;
            const _errs4 = errors;
            if (!(data1 && typeof data1 == "object" && !Array.isArray(data1)) && data1 !== null) {
              validate64.errors = [{ instancePath: instancePath + "/command", schemaPath: "#/properties/command/type", keyword: "type", params: { type: schema65.properties.command.type }, message: "must be object,null" }];
              return false;
            }
            if (errors === _errs4) {
              if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
                if (data1.update !== void 0) {
                  let data2 = data1.update;
                  const _errs7 = errors;
                  const _errs8 = errors;
                  let valid2 = false;
                  const _errs9 = errors;
                  if (data2 !== null) {
                    const err0 = { instancePath: instancePath + "/command/update", schemaPath: "#/properties/command/properties/update/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                    if (vErrors === null) {
                      vErrors = [err0];
                    } else {
                      vErrors.push(err0);
                    }
                    errors++;
                  }
                  var _valid0 = _errs9 === errors;
                  valid2 = valid2 || _valid0;
                  if (!valid2) {
                    const _errs11 = errors;
                    if (errors === _errs11) {
                      if (!(data2 && typeof data2 == "object" && !Array.isArray(data2))) {
                        const err1 = { instancePath: instancePath + "/command/update", schemaPath: "#/properties/command/properties/update/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                        if (vErrors === null) {
                          vErrors = [err1];
                        } else {
                          vErrors.push(err1);
                        }
                        errors++;
                      }
                    }
                    var _valid0 = _errs11 === errors;
                    valid2 = valid2 || _valid0;
                    if (!valid2) {
                      const _errs14 = errors;
                      if (errors === _errs14) {
                        if (Array.isArray(data2)) {
                          var valid3 = true;
                          const len0 = data2.length;
                          for (let i0 = 0; i0 < len0; i0++) {
                            let data3 = data2[i0];
                            const _errs16 = errors;
                            if (errors === _errs16) {
                              if (Array.isArray(data3)) {
                                if (data3.length > 2) {
                                  const err2 = { instancePath: instancePath + "/command/update/" + i0, schemaPath: "#/properties/command/properties/update/anyOf/2/items/maxItems", keyword: "maxItems", params: { limit: 2 }, message: "must NOT have more than 2 items" };
                                  if (vErrors === null) {
                                    vErrors = [err2];
                                  } else {
                                    vErrors.push(err2);
                                  }
                                  errors++;
                                } else {
                                  if (data3.length < 2) {
                                    const err3 = { instancePath: instancePath + "/command/update/" + i0, schemaPath: "#/properties/command/properties/update/anyOf/2/items/minItems", keyword: "minItems", params: { limit: 2 }, message: "must NOT have fewer than 2 items" };
                                    if (vErrors === null) {
                                      vErrors = [err3];
                                    } else {
                                      vErrors.push(err3);
                                    }
                                    errors++;
                                  }
                                }
                              } else {
                                const err4 = { instancePath: instancePath + "/command/update/" + i0, schemaPath: "#/properties/command/properties/update/anyOf/2/items/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                if (vErrors === null) {
                                  vErrors = [err4];
                                } else {
                                  vErrors.push(err4);
                                }
                                errors++;
                              }
                            }
                            var valid3 = _errs16 === errors;
                            if (!valid3) {
                              break;
                            }
                          }
                        } else {
                          const err5 = { instancePath: instancePath + "/command/update", schemaPath: "#/properties/command/properties/update/anyOf/2/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                          if (vErrors === null) {
                            vErrors = [err5];
                          } else {
                            vErrors.push(err5);
                          }
                          errors++;
                        }
                      }
                      var _valid0 = _errs14 === errors;
                      valid2 = valid2 || _valid0;
                    }
                  }
                  if (!valid2) {
                    const err6 = { instancePath: instancePath + "/command/update", schemaPath: "#/properties/command/properties/update/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                    if (vErrors === null) {
                      vErrors = [err6];
                    } else {
                      vErrors.push(err6);
                    }
                    errors++;
                    validate64.errors = vErrors;
                    return false;
                  } else {
                    errors = _errs8;
                    if (vErrors !== null) {
                      if (_errs8) {
                        vErrors.length = _errs8;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                  var valid1 = _errs7 === errors;
                } else {
                  var valid1 = true;
                }
                if (valid1) {
                  if (data1.goto !== void 0) {
                    let data4 = data1.goto;
                    const _errs18 = errors;
                    const _errs19 = errors;
                    let valid4 = false;
                    const _errs20 = errors;
                    if (data4 !== null) {
                      const err7 = { instancePath: instancePath + "/command/goto", schemaPath: "#/properties/command/properties/goto/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                      if (vErrors === null) {
                        vErrors = [err7];
                      } else {
                        vErrors.push(err7);
                      }
                      errors++;
                    }
                    var _valid1 = _errs20 === errors;
                    valid4 = valid4 || _valid1;
                    if (!valid4) {
                      const _errs22 = errors;
                      if (typeof data4 !== "string") {
                        const err8 = { instancePath: instancePath + "/command/goto", schemaPath: "#/properties/command/properties/goto/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err8];
                        } else {
                          vErrors.push(err8);
                        }
                        errors++;
                      }
                      var _valid1 = _errs22 === errors;
                      valid4 = valid4 || _valid1;
                      if (!valid4) {
                        const _errs24 = errors;
                        const _errs25 = errors;
                        if (errors === _errs25) {
                          if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
                            let missing1;
                            if (data4.node === void 0 && (missing1 = "node")) {
                              const err9 = { instancePath: instancePath + "/command/goto", schemaPath: "#/definitions/send/required", keyword: "required", params: { missingProperty: missing1 }, message: "must have required property '" + missing1 + "'" };
                              if (vErrors === null) {
                                vErrors = [err9];
                              } else {
                                vErrors.push(err9);
                              }
                              errors++;
                            } else {
                              if (data4.node !== void 0) {
                                if (typeof data4.node !== "string") {
                                  const err10 = { instancePath: instancePath + "/command/goto/node", schemaPath: "#/definitions/send/properties/node/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                  if (vErrors === null) {
                                    vErrors = [err10];
                                  } else {
                                    vErrors.push(err10);
                                  }
                                  errors++;
                                }
                              }
                            }
                          } else {
                            const err11 = { instancePath: instancePath + "/command/goto", schemaPath: "#/definitions/send/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                            if (vErrors === null) {
                              vErrors = [err11];
                            } else {
                              vErrors.push(err11);
                            }
                            errors++;
                          }
                        }
                        var _valid1 = _errs24 === errors;
                        valid4 = valid4 || _valid1;
                        if (!valid4) {
                          const _errs30 = errors;
                          if (errors === _errs30) {
                            if (Array.isArray(data4)) {
                              var valid7 = true;
                              const len1 = data4.length;
                              for (let i1 = 0; i1 < len1; i1++) {
                                let data6 = data4[i1];
                                const _errs32 = errors;
                                const _errs33 = errors;
                                let valid8 = false;
                                const _errs34 = errors;
                                if (typeof data6 !== "string") {
                                  const err12 = { instancePath: instancePath + "/command/goto/" + i1, schemaPath: "#/properties/command/properties/goto/anyOf/3/items/anyOf/0/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                  if (vErrors === null) {
                                    vErrors = [err12];
                                  } else {
                                    vErrors.push(err12);
                                  }
                                  errors++;
                                }
                                var _valid2 = _errs34 === errors;
                                valid8 = valid8 || _valid2;
                                if (!valid8) {
                                  const _errs36 = errors;
                                  const _errs37 = errors;
                                  if (errors === _errs37) {
                                    if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
                                      let missing2;
                                      if (data6.node === void 0 && (missing2 = "node")) {
                                        const err13 = { instancePath: instancePath + "/command/goto/" + i1, schemaPath: "#/definitions/send/required", keyword: "required", params: { missingProperty: missing2 }, message: "must have required property '" + missing2 + "'" };
                                        if (vErrors === null) {
                                          vErrors = [err13];
                                        } else {
                                          vErrors.push(err13);
                                        }
                                        errors++;
                                      } else {
                                        if (data6.node !== void 0) {
                                          if (typeof data6.node !== "string") {
                                            const err14 = { instancePath: instancePath + "/command/goto/" + i1 + "/node", schemaPath: "#/definitions/send/properties/node/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                            if (vErrors === null) {
                                              vErrors = [err14];
                                            } else {
                                              vErrors.push(err14);
                                            }
                                            errors++;
                                          }
                                        }
                                      }
                                    } else {
                                      const err15 = { instancePath: instancePath + "/command/goto/" + i1, schemaPath: "#/definitions/send/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                                      if (vErrors === null) {
                                        vErrors = [err15];
                                      } else {
                                        vErrors.push(err15);
                                      }
                                      errors++;
                                    }
                                  }
                                  var _valid2 = _errs36 === errors;
                                  valid8 = valid8 || _valid2;
                                }
                                if (!valid8) {
                                  const err16 = { instancePath: instancePath + "/command/goto/" + i1, schemaPath: "#/properties/command/properties/goto/anyOf/3/items/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                                  if (vErrors === null) {
                                    vErrors = [err16];
                                  } else {
                                    vErrors.push(err16);
                                  }
                                  errors++;
                                } else {
                                  errors = _errs33;
                                  if (vErrors !== null) {
                                    if (_errs33) {
                                      vErrors.length = _errs33;
                                    } else {
                                      vErrors = null;
                                    }
                                  }
                                }
                                var valid7 = _errs32 === errors;
                                if (!valid7) {
                                  break;
                                }
                              }
                            } else {
                              const err17 = { instancePath: instancePath + "/command/goto", schemaPath: "#/properties/command/properties/goto/anyOf/3/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                              if (vErrors === null) {
                                vErrors = [err17];
                              } else {
                                vErrors.push(err17);
                              }
                              errors++;
                            }
                          }
                          var _valid1 = _errs30 === errors;
                          valid4 = valid4 || _valid1;
                        }
                      }
                    }
                    if (!valid4) {
                      const err18 = { instancePath: instancePath + "/command/goto", schemaPath: "#/properties/command/properties/goto/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                      if (vErrors === null) {
                        vErrors = [err18];
                      } else {
                        vErrors.push(err18);
                      }
                      errors++;
                      validate64.errors = vErrors;
                      return false;
                    } else {
                      errors = _errs19;
                      if (vErrors !== null) {
                        if (_errs19) {
                          vErrors.length = _errs19;
                        } else {
                          vErrors = null;
                        }
                      }
                    }
                    var valid1 = _errs18 === errors;
                  } else {
                    var valid1 = true;
                  }
                }
              }
            }
            var valid0 = _errs4 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.checkpoint !== void 0) {
              let data8 = data.checkpoint;
              const _errs42 = errors;
              if (!(data8 && typeof data8 == "object" && !Array.isArray(data8)) && data8 !== null) {
                validate64.errors = [{ instancePath: instancePath + "/checkpoint", schemaPath: "#/properties/checkpoint/type", keyword: "type", params: { type: schema65.properties.checkpoint.type }, message: "must be object,null" }];
                return false;
              }
              if (errors === _errs42) {
                if (data8 && typeof data8 == "object" && !Array.isArray(data8)) {
                  if (data8.thread_id !== void 0) {
                    let data9 = data8.thread_id;
                    const _errs45 = errors;
                    if (typeof data9 !== "string" && data9 !== null) {
                      validate64.errors = [{ instancePath: instancePath + "/checkpoint/thread_id", schemaPath: "#/properties/checkpoint/properties/thread_id/type", keyword: "type", params: { type: schema65.properties.checkpoint.properties.thread_id.type }, message: "must be string,null" }];
                      return false;
                    }
                    var valid11 = _errs45 === errors;
                  } else {
                    var valid11 = true;
                  }
                  if (valid11) {
                    if (data8.checkpoint_id !== void 0) {
                      let data10 = data8.checkpoint_id;
                      const _errs47 = errors;
                      if (typeof data10 !== "string" && data10 !== null) {
                        validate64.errors = [{ instancePath: instancePath + "/checkpoint/checkpoint_id", schemaPath: "#/properties/checkpoint/properties/checkpoint_id/type", keyword: "type", params: { type: schema65.properties.checkpoint.properties.checkpoint_id.type }, message: "must be string,null" }];
                        return false;
                      }
                      var valid11 = _errs47 === errors;
                    } else {
                      var valid11 = true;
                    }
                    if (valid11) {
                      if (data8.checkpoint_ns !== void 0) {
                        let data11 = data8.checkpoint_ns;
                        const _errs49 = errors;
                        if (typeof data11 !== "string" && data11 !== null) {
                          validate64.errors = [{ instancePath: instancePath + "/checkpoint/checkpoint_ns", schemaPath: "#/properties/checkpoint/properties/checkpoint_ns/type", keyword: "type", params: { type: schema65.properties.checkpoint.properties.checkpoint_ns.type }, message: "must be string,null" }];
                          return false;
                        }
                        var valid11 = _errs49 === errors;
                      } else {
                        var valid11 = true;
                      }
                      if (valid11) {
                        if (data8.checkpoint_map !== void 0) {
                          let data12 = data8.checkpoint_map;
                          const _errs51 = errors;
                          if (!(data12 && typeof data12 == "object" && !Array.isArray(data12)) && data12 !== null) {
                            validate64.errors = [{ instancePath: instancePath + "/checkpoint/checkpoint_map", schemaPath: "#/properties/checkpoint/properties/checkpoint_map/type", keyword: "type", params: { type: schema65.properties.checkpoint.properties.checkpoint_map.type }, message: "must be object,null" }];
                            return false;
                          }
                          var valid11 = _errs51 === errors;
                        } else {
                          var valid11 = true;
                        }
                      }
                    }
                  }
                }
              }
              var valid0 = _errs42 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.checkpoint_id !== void 0) {
                let data13 = data.checkpoint_id;
                const _errs54 = errors;
                if (typeof data13 !== "string" && data13 !== null) {
                  validate64.errors = [{ instancePath: instancePath + "/checkpoint_id", schemaPath: "#/properties/checkpoint_id/type", keyword: "type", params: { type: schema65.properties.checkpoint_id.type }, message: "must be string,null" }];
                  return false;
                }
                var valid0 = _errs54 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.metadata !== void 0) {
                  let data14 = data.metadata;
                  const _errs56 = errors;
                  if (!(data14 && typeof data14 == "object" && !Array.isArray(data14)) && data14 !== null) {
                    validate64.errors = [{ instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: schema65.properties.metadata.type }, message: "must be object,null" }];
                    return false;
                  }
                  var valid0 = _errs56 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.config !== void 0) {
                    let data15 = data.config;
                    const _errs59 = errors;
                    if (!(data15 && typeof data15 == "object" && !Array.isArray(data15)) && data15 !== null) {
                      validate64.errors = [{ instancePath: instancePath + "/config", schemaPath: "#/properties/config/type", keyword: "type", params: { type: schema65.properties.config.type }, message: "must be object,null" }];
                      return false;
                    }
                    if (errors === _errs59) {
                      if (data15 && typeof data15 == "object" && !Array.isArray(data15)) {
                        if (data15.tags !== void 0) {
                          let data16 = data15.tags;
                          const _errs62 = errors;
                          const _errs63 = errors;
                          let valid13 = false;
                          const _errs64 = errors;
                          if (data16 !== null) {
                            const err19 = { instancePath: instancePath + "/config/tags", schemaPath: "#/properties/config/properties/tags/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                            if (vErrors === null) {
                              vErrors = [err19];
                            } else {
                              vErrors.push(err19);
                            }
                            errors++;
                          }
                          var _valid3 = _errs64 === errors;
                          valid13 = valid13 || _valid3;
                          if (!valid13) {
                            const _errs66 = errors;
                            if (errors === _errs66) {
                              if (Array.isArray(data16)) {
                                var valid14 = true;
                                const len2 = data16.length;
                                for (let i2 = 0; i2 < len2; i2++) {
                                  const _errs68 = errors;
                                  if (typeof data16[i2] !== "string") {
                                    const err20 = { instancePath: instancePath + "/config/tags/" + i2, schemaPath: "#/properties/config/properties/tags/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                    if (vErrors === null) {
                                      vErrors = [err20];
                                    } else {
                                      vErrors.push(err20);
                                    }
                                    errors++;
                                  }
                                  var valid14 = _errs68 === errors;
                                  if (!valid14) {
                                    break;
                                  }
                                }
                              } else {
                                const err21 = { instancePath: instancePath + "/config/tags", schemaPath: "#/properties/config/properties/tags/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                if (vErrors === null) {
                                  vErrors = [err21];
                                } else {
                                  vErrors.push(err21);
                                }
                                errors++;
                              }
                            }
                            var _valid3 = _errs66 === errors;
                            valid13 = valid13 || _valid3;
                          }
                          if (!valid13) {
                            const err22 = { instancePath: instancePath + "/config/tags", schemaPath: "#/properties/config/properties/tags/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                            if (vErrors === null) {
                              vErrors = [err22];
                            } else {
                              vErrors.push(err22);
                            }
                            errors++;
                            validate64.errors = vErrors;
                            return false;
                          } else {
                            errors = _errs63;
                            if (vErrors !== null) {
                              if (_errs63) {
                                vErrors.length = _errs63;
                              } else {
                                vErrors = null;
                              }
                            }
                          }
                          var valid12 = _errs62 === errors;
                        } else {
                          var valid12 = true;
                        }
                        if (valid12) {
                          if (data15.recursion_limit !== void 0) {
                            let data18 = data15.recursion_limit;
                            const _errs70 = errors;
                            if (!(typeof data18 == "number" && (!(data18 % 1) && !isNaN(data18)) && isFinite(data18)) && data18 !== null) {
                              validate64.errors = [{ instancePath: instancePath + "/config/recursion_limit", schemaPath: "#/properties/config/properties/recursion_limit/type", keyword: "type", params: { type: schema65.properties.config.properties.recursion_limit.type }, message: "must be integer,null" }];
                              return false;
                            }
                            if (errors === _errs70) {
                              if (typeof data18 == "number" && isFinite(data18)) {
                                if (data18 > 1e6 || isNaN(data18)) {
                                  validate64.errors = [{ instancePath: instancePath + "/config/recursion_limit", schemaPath: "#/properties/config/properties/recursion_limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" }];
                                  return false;
                                } else {
                                  if (data18 < 1 || isNaN(data18)) {
                                    validate64.errors = [{ instancePath: instancePath + "/config/recursion_limit", schemaPath: "#/properties/config/properties/recursion_limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                                    return false;
                                  }
                                }
                              }
                            }
                            var valid12 = _errs70 === errors;
                          } else {
                            var valid12 = true;
                          }
                          if (valid12) {
                            if (data15.configurable !== void 0) {
                              let data19 = data15.configurable;
                              const _errs72 = errors;
                              if (!(data19 && typeof data19 == "object" && !Array.isArray(data19)) && data19 !== null) {
                                validate64.errors = [{ instancePath: instancePath + "/config/configurable", schemaPath: "#/properties/config/properties/configurable/type", keyword: "type", params: { type: schema65.properties.config.properties.configurable.type }, message: "must be object,null" }];
                                return false;
                              }
                              var valid12 = _errs72 === errors;
                            } else {
                              var valid12 = true;
                            }
                            if (valid12) {
                              if (data15.metadata !== void 0) {
                                let data20 = data15.metadata;
                                const _errs75 = errors;
                                if (!(data20 && typeof data20 == "object" && !Array.isArray(data20)) && data20 !== null) {
                                  validate64.errors = [{ instancePath: instancePath + "/config/metadata", schemaPath: "#/properties/config/properties/metadata/type", keyword: "type", params: { type: schema65.properties.config.properties.metadata.type }, message: "must be object,null" }];
                                  return false;
                                }
                                var valid12 = _errs75 === errors;
                              } else {
                                var valid12 = true;
                              }
                            }
                          }
                        }
                      }
                    }
                    var valid0 = _errs59 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.webhook !== void 0) {
                      let data21 = data.webhook;
                      const _errs78 = errors;
                      if (typeof data21 !== "string" && data21 !== null) {
                        validate64.errors = [{ instancePath: instancePath + "/webhook", schemaPath: "#/properties/webhook/type", keyword: "type", params: { type: schema65.properties.webhook.type }, message: "must be string,null" }];
                        return false;
                      }
                      if (errors === _errs78) {
                        if (typeof data21 === "string") {
                          if (func2(data21) > 65536) {
                            validate64.errors = [{ instancePath: instancePath + "/webhook", schemaPath: "#/properties/webhook/maxLength", keyword: "maxLength", params: { limit: 65536 }, message: "must NOT have more than 65536 characters" }];
                            return false;
                          } else {
                            if (func2(data21) < 1) {
                              validate64.errors = [{ instancePath: instancePath + "/webhook", schemaPath: "#/properties/webhook/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
                              return false;
                            }
                          }
                        }
                      }
                      var valid0 = _errs78 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.interrupt_before !== void 0) {
                        let data22 = data.interrupt_before;
                        const _errs80 = errors;
                        const _errs81 = errors;
                        let valid15 = false;
                        const _errs82 = errors;
                        if (data22 !== null) {
                          const err23 = { instancePath: instancePath + "/interrupt_before", schemaPath: "#/properties/interrupt_before/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                          if (vErrors === null) {
                            vErrors = [err23];
                          } else {
                            vErrors.push(err23);
                          }
                          errors++;
                        }
                        var _valid4 = _errs82 === errors;
                        valid15 = valid15 || _valid4;
                        if (!valid15) {
                          const _errs84 = errors;
                          if (typeof data22 !== "string") {
                            const err24 = { instancePath: instancePath + "/interrupt_before", schemaPath: "#/properties/interrupt_before/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err24];
                            } else {
                              vErrors.push(err24);
                            }
                            errors++;
                          }
                          var _valid4 = _errs84 === errors;
                          valid15 = valid15 || _valid4;
                          if (!valid15) {
                            const _errs86 = errors;
                            if (errors === _errs86) {
                              if (Array.isArray(data22)) {
                                var valid16 = true;
                                const len3 = data22.length;
                                for (let i3 = 0; i3 < len3; i3++) {
                                  const _errs88 = errors;
                                  if (typeof data22[i3] !== "string") {
                                    const err25 = { instancePath: instancePath + "/interrupt_before/" + i3, schemaPath: "#/properties/interrupt_before/anyOf/2/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                    if (vErrors === null) {
                                      vErrors = [err25];
                                    } else {
                                      vErrors.push(err25);
                                    }
                                    errors++;
                                  }
                                  var valid16 = _errs88 === errors;
                                  if (!valid16) {
                                    break;
                                  }
                                }
                              } else {
                                const err26 = { instancePath: instancePath + "/interrupt_before", schemaPath: "#/properties/interrupt_before/anyOf/2/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                if (vErrors === null) {
                                  vErrors = [err26];
                                } else {
                                  vErrors.push(err26);
                                }
                                errors++;
                              }
                            }
                            var _valid4 = _errs86 === errors;
                            valid15 = valid15 || _valid4;
                          }
                        }
                        if (!valid15) {
                          const err27 = { instancePath: instancePath + "/interrupt_before", schemaPath: "#/properties/interrupt_before/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                          if (vErrors === null) {
                            vErrors = [err27];
                          } else {
                            vErrors.push(err27);
                          }
                          errors++;
                          validate64.errors = vErrors;
                          return false;
                        } else {
                          errors = _errs81;
                          if (vErrors !== null) {
                            if (_errs81) {
                              vErrors.length = _errs81;
                            } else {
                              vErrors = null;
                            }
                          }
                        }
                        var valid0 = _errs80 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.interrupt_after !== void 0) {
                          let data24 = data.interrupt_after;
                          const _errs90 = errors;
                          const _errs91 = errors;
                          let valid17 = false;
                          const _errs92 = errors;
                          if (data24 !== null) {
                            const err28 = { instancePath: instancePath + "/interrupt_after", schemaPath: "#/properties/interrupt_after/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                            if (vErrors === null) {
                              vErrors = [err28];
                            } else {
                              vErrors.push(err28);
                            }
                            errors++;
                          }
                          var _valid5 = _errs92 === errors;
                          valid17 = valid17 || _valid5;
                          if (!valid17) {
                            const _errs94 = errors;
                            if (typeof data24 !== "string") {
                              const err29 = { instancePath: instancePath + "/interrupt_after", schemaPath: "#/properties/interrupt_after/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                              if (vErrors === null) {
                                vErrors = [err29];
                              } else {
                                vErrors.push(err29);
                              }
                              errors++;
                            }
                            var _valid5 = _errs94 === errors;
                            valid17 = valid17 || _valid5;
                            if (!valid17) {
                              const _errs96 = errors;
                              if (errors === _errs96) {
                                if (Array.isArray(data24)) {
                                  var valid18 = true;
                                  const len4 = data24.length;
                                  for (let i4 = 0; i4 < len4; i4++) {
                                    const _errs98 = errors;
                                    if (typeof data24[i4] !== "string") {
                                      const err30 = { instancePath: instancePath + "/interrupt_after/" + i4, schemaPath: "#/properties/interrupt_after/anyOf/2/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                      if (vErrors === null) {
                                        vErrors = [err30];
                                      } else {
                                        vErrors.push(err30);
                                      }
                                      errors++;
                                    }
                                    var valid18 = _errs98 === errors;
                                    if (!valid18) {
                                      break;
                                    }
                                  }
                                } else {
                                  const err31 = { instancePath: instancePath + "/interrupt_after", schemaPath: "#/properties/interrupt_after/anyOf/2/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                  if (vErrors === null) {
                                    vErrors = [err31];
                                  } else {
                                    vErrors.push(err31);
                                  }
                                  errors++;
                                }
                              }
                              var _valid5 = _errs96 === errors;
                              valid17 = valid17 || _valid5;
                            }
                          }
                          if (!valid17) {
                            const err32 = { instancePath: instancePath + "/interrupt_after", schemaPath: "#/properties/interrupt_after/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                            if (vErrors === null) {
                              vErrors = [err32];
                            } else {
                              vErrors.push(err32);
                            }
                            errors++;
                            validate64.errors = vErrors;
                            return false;
                          } else {
                            errors = _errs91;
                            if (vErrors !== null) {
                              if (_errs91) {
                                vErrors.length = _errs91;
                              } else {
                                vErrors = null;
                              }
                            }
                          }
                          var valid0 = _errs90 === errors;
                        } else {
                          var valid0 = true;
                        }
                        if (valid0) {
                          if (data.stream_mode !== void 0) {
                            let data26 = data.stream_mode;
                            const _errs100 = errors;
                            const _errs101 = errors;
                            let valid19 = false;
                            const _errs102 = errors;
                            if (data26 !== null) {
                              const err33 = { instancePath: instancePath + "/stream_mode", schemaPath: "#/properties/stream_mode/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                              if (vErrors === null) {
                                vErrors = [err33];
                              } else {
                                vErrors.push(err33);
                              }
                              errors++;
                            }
                            var _valid6 = _errs102 === errors;
                            valid19 = valid19 || _valid6;
                            if (!valid19) {
                              const _errs104 = errors;
                              if (typeof data26 !== "string") {
                                const err34 = { instancePath: instancePath + "/stream_mode", schemaPath: "#/properties/stream_mode/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                if (vErrors === null) {
                                  vErrors = [err34];
                                } else {
                                  vErrors.push(err34);
                                }
                                errors++;
                              }
                              if (!(data26 === "values" || data26 === "messages" || data26 === "messages-tuple" || data26 === "tasks" || data26 === "checkpoints" || data26 === "updates" || data26 === "events" || data26 === "debug" || data26 === "custom" || data26 === "tools")) {
                                const err35 = { instancePath: instancePath + "/stream_mode", schemaPath: "#/properties/stream_mode/anyOf/1/enum", keyword: "enum", params: { allowedValues: schema65.properties.stream_mode.anyOf[1].enum }, message: "must be equal to one of the allowed values" };
                                if (vErrors === null) {
                                  vErrors = [err35];
                                } else {
                                  vErrors.push(err35);
                                }
                                errors++;
                              }
                              var _valid6 = _errs104 === errors;
                              valid19 = valid19 || _valid6;
                              if (!valid19) {
                                const _errs106 = errors;
                                if (errors === _errs106) {
                                  if (Array.isArray(data26)) {
                                    if (data26.length > 20) {
                                      const err36 = { instancePath: instancePath + "/stream_mode", schemaPath: "#/properties/stream_mode/anyOf/2/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
                                      if (vErrors === null) {
                                        vErrors = [err36];
                                      } else {
                                        vErrors.push(err36);
                                      }
                                      errors++;
                                    } else {
                                      var valid20 = true;
                                      const len5 = data26.length;
                                      for (let i5 = 0; i5 < len5; i5++) {
                                        let data27 = data26[i5];
                                        const _errs108 = errors;
                                        if (typeof data27 !== "string") {
                                          const err37 = { instancePath: instancePath + "/stream_mode/" + i5, schemaPath: "#/properties/stream_mode/anyOf/2/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                          if (vErrors === null) {
                                            vErrors = [err37];
                                          } else {
                                            vErrors.push(err37);
                                          }
                                          errors++;
                                        }
                                        if (!(data27 === "values" || data27 === "messages" || data27 === "messages-tuple" || data27 === "tasks" || data27 === "checkpoints" || data27 === "updates" || data27 === "events" || data27 === "debug" || data27 === "custom" || data27 === "tools")) {
                                          const err38 = { instancePath: instancePath + "/stream_mode/" + i5, schemaPath: "#/properties/stream_mode/anyOf/2/items/enum", keyword: "enum", params: { allowedValues: schema65.properties.stream_mode.anyOf[2].items.enum }, message: "must be equal to one of the allowed values" };
                                          if (vErrors === null) {
                                            vErrors = [err38];
                                          } else {
                                            vErrors.push(err38);
                                          }
                                          errors++;
                                        }
                                        var valid20 = _errs108 === errors;
                                        if (!valid20) {
                                          break;
                                        }
                                      }
                                    }
                                  } else {
                                    const err39 = { instancePath: instancePath + "/stream_mode", schemaPath: "#/properties/stream_mode/anyOf/2/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                    if (vErrors === null) {
                                      vErrors = [err39];
                                    } else {
                                      vErrors.push(err39);
                                    }
                                    errors++;
                                  }
                                }
                                var _valid6 = _errs106 === errors;
                                valid19 = valid19 || _valid6;
                              }
                            }
                            if (!valid19) {
                              const err40 = { instancePath: instancePath + "/stream_mode", schemaPath: "#/properties/stream_mode/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                              if (vErrors === null) {
                                vErrors = [err40];
                              } else {
                                vErrors.push(err40);
                              }
                              errors++;
                              validate64.errors = vErrors;
                              return false;
                            } else {
                              errors = _errs101;
                              if (vErrors !== null) {
                                if (_errs101) {
                                  vErrors.length = _errs101;
                                } else {
                                  vErrors = null;
                                }
                              }
                            }
                            var valid0 = _errs100 === errors;
                          } else {
                            var valid0 = true;
                          }
                          if (valid0) {
                            if (data.stream_subgraphs !== void 0) {
                              let data28 = data.stream_subgraphs;
                              const _errs110 = errors;
                              if (typeof data28 !== "boolean" && data28 !== null) {
                                validate64.errors = [{ instancePath: instancePath + "/stream_subgraphs", schemaPath: "#/properties/stream_subgraphs/type", keyword: "type", params: { type: schema65.properties.stream_subgraphs.type }, message: "must be boolean,null" }];
                                return false;
                              }
                              var valid0 = _errs110 === errors;
                            } else {
                              var valid0 = true;
                            }
                            if (valid0) {
                              if (data.stream_resumable !== void 0) {
                                let data29 = data.stream_resumable;
                                const _errs112 = errors;
                                if (typeof data29 !== "boolean" && data29 !== null) {
                                  validate64.errors = [{ instancePath: instancePath + "/stream_resumable", schemaPath: "#/properties/stream_resumable/type", keyword: "type", params: { type: schema65.properties.stream_resumable.type }, message: "must be boolean,null" }];
                                  return false;
                                }
                                var valid0 = _errs112 === errors;
                              } else {
                                var valid0 = true;
                              }
                              if (valid0) {
                                if (data.on_disconnect !== void 0) {
                                  let data30 = data.on_disconnect;
                                  const _errs114 = errors;
                                  if (!(data30 === "cancel" || data30 === "continue" || data30 === null)) {
                                    validate64.errors = [{ instancePath: instancePath + "/on_disconnect", schemaPath: "#/properties/on_disconnect/enum", keyword: "enum", params: { allowedValues: schema65.properties.on_disconnect.enum }, message: "must be equal to one of the allowed values" }];
                                    return false;
                                  }
                                  var valid0 = _errs114 === errors;
                                } else {
                                  var valid0 = true;
                                }
                                if (valid0) {
                                  if (data.feedback_keys !== void 0) {
                                    let data31 = data.feedback_keys;
                                    const _errs115 = errors;
                                    const _errs116 = errors;
                                    let valid21 = false;
                                    const _errs117 = errors;
                                    if (data31 !== null) {
                                      const err41 = { instancePath: instancePath + "/feedback_keys", schemaPath: "#/properties/feedback_keys/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                                      if (vErrors === null) {
                                        vErrors = [err41];
                                      } else {
                                        vErrors.push(err41);
                                      }
                                      errors++;
                                    }
                                    var _valid7 = _errs117 === errors;
                                    valid21 = valid21 || _valid7;
                                    if (!valid21) {
                                      const _errs119 = errors;
                                      if (errors === _errs119) {
                                        if (Array.isArray(data31)) {
                                          var valid22 = true;
                                          const len6 = data31.length;
                                          for (let i6 = 0; i6 < len6; i6++) {
                                            const _errs121 = errors;
                                            if (typeof data31[i6] !== "string") {
                                              const err42 = { instancePath: instancePath + "/feedback_keys/" + i6, schemaPath: "#/properties/feedback_keys/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                              if (vErrors === null) {
                                                vErrors = [err42];
                                              } else {
                                                vErrors.push(err42);
                                              }
                                              errors++;
                                            }
                                            var valid22 = _errs121 === errors;
                                            if (!valid22) {
                                              break;
                                            }
                                          }
                                        } else {
                                          const err43 = { instancePath: instancePath + "/feedback_keys", schemaPath: "#/properties/feedback_keys/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                                          if (vErrors === null) {
                                            vErrors = [err43];
                                          } else {
                                            vErrors.push(err43);
                                          }
                                          errors++;
                                        }
                                      }
                                      var _valid7 = _errs119 === errors;
                                      valid21 = valid21 || _valid7;
                                    }
                                    if (!valid21) {
                                      const err44 = { instancePath: instancePath + "/feedback_keys", schemaPath: "#/properties/feedback_keys/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                                      if (vErrors === null) {
                                        vErrors = [err44];
                                      } else {
                                        vErrors.push(err44);
                                      }
                                      errors++;
                                      validate64.errors = vErrors;
                                      return false;
                                    } else {
                                      errors = _errs116;
                                      if (vErrors !== null) {
                                        if (_errs116) {
                                          vErrors.length = _errs116;
                                        } else {
                                          vErrors = null;
                                        }
                                      }
                                    }
                                    var valid0 = _errs115 === errors;
                                  } else {
                                    var valid0 = true;
                                  }
                                  if (valid0) {
                                    if (data.multitask_strategy !== void 0) {
                                      let data33 = data.multitask_strategy;
                                      const _errs123 = errors;
                                      if (!(data33 === "reject" || data33 === "rollback" || data33 === "interrupt" || data33 === "enqueue" || data33 === null)) {
                                        validate64.errors = [{ instancePath: instancePath + "/multitask_strategy", schemaPath: "#/properties/multitask_strategy/enum", keyword: "enum", params: { allowedValues: schema65.properties.multitask_strategy.enum }, message: "must be equal to one of the allowed values" }];
                                        return false;
                                      }
                                      var valid0 = _errs123 === errors;
                                    } else {
                                      var valid0 = true;
                                    }
                                    if (valid0) {
                                      if (data.if_not_exists !== void 0) {
                                        let data34 = data.if_not_exists;
                                        const _errs124 = errors;
                                        if (!(data34 === "create" || data34 === "reject" || data34 === null)) {
                                          validate64.errors = [{ instancePath: instancePath + "/if_not_exists", schemaPath: "#/properties/if_not_exists/enum", keyword: "enum", params: { allowedValues: schema65.properties.if_not_exists.enum }, message: "must be equal to one of the allowed values" }];
                                          return false;
                                        }
                                        var valid0 = _errs124 === errors;
                                      } else {
                                        var valid0 = true;
                                      }
                                      if (valid0) {
                                        if (data.after_seconds !== void 0) {
                                          let data35 = data.after_seconds;
                                          const _errs125 = errors;
                                          if (!(typeof data35 == "number" && isFinite(data35)) && data35 !== null) {
                                            validate64.errors = [{ instancePath: instancePath + "/after_seconds", schemaPath: "#/properties/after_seconds/type", keyword: "type", params: { type: schema65.properties.after_seconds.type }, message: "must be number,null" }];
                                            return false;
                                          }
                                          if (errors === _errs125) {
                                            if (typeof data35 == "number" && isFinite(data35)) {
                                              if (data35 > 31536e3 || isNaN(data35)) {
                                                validate64.errors = [{ instancePath: instancePath + "/after_seconds", schemaPath: "#/properties/after_seconds/maximum", keyword: "maximum", params: { comparison: "<=", limit: 31536e3 }, message: "must be <= 31536000" }];
                                                return false;
                                              } else {
                                                if (data35 < 0 || isNaN(data35)) {
                                                  validate64.errors = [{ instancePath: instancePath + "/after_seconds", schemaPath: "#/properties/after_seconds/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                                                  return false;
                                                }
                                              }
                                            }
                                          }
                                          var valid0 = _errs125 === errors;
                                        } else {
                                          var valid0 = true;
                                        }
                                        if (valid0) {
                                          if (data.durability !== void 0) {
                                            let data36 = data.durability;
                                            const _errs127 = errors;
                                            if (!(data36 === "sync" || data36 === "async" || data36 === "exit" || data36 === null)) {
                                              validate64.errors = [{ instancePath: instancePath + "/durability", schemaPath: "#/properties/durability/enum", keyword: "enum", params: { allowedValues: schema65.properties.durability.enum }, message: "must be equal to one of the allowed values" }];
                                              return false;
                                            }
                                            var valid0 = _errs127 === errors;
                                          } else {
                                            var valid0 = true;
                                          }
                                          if (valid0) {
                                            if (data.checkpoint_during !== void 0) {
                                              let data37 = data.checkpoint_during;
                                              const _errs128 = errors;
                                              if (typeof data37 !== "boolean" && data37 !== null) {
                                                validate64.errors = [{ instancePath: instancePath + "/checkpoint_during", schemaPath: "#/properties/checkpoint_during/type", keyword: "type", params: { type: schema65.properties.checkpoint_during.type }, message: "must be boolean,null" }];
                                                return false;
                                              }
                                              var valid0 = _errs128 === errors;
                                            } else {
                                              var valid0 = true;
                                            }
                                            if (valid0) {
                                              if (data.on_completion !== void 0) {
                                                let data38 = data.on_completion;
                                                const _errs130 = errors;
                                                if (typeof data38 !== "string" && data38 !== null) {
                                                  validate64.errors = [{ instancePath: instancePath + "/on_completion", schemaPath: "#/properties/on_completion/type", keyword: "type", params: { type: schema65.properties.on_completion.type }, message: "must be string,null" }];
                                                  return false;
                                                }
                                                var valid0 = _errs130 === errors;
                                              } else {
                                                var valid0 = true;
                                              }
                                              if (valid0) {
                                                if (data.strict_resume !== void 0) {
                                                  let data39 = data.strict_resume;
                                                  const _errs132 = errors;
                                                  if (typeof data39 !== "boolean" && data39 !== null) {
                                                    validate64.errors = [{ instancePath: instancePath + "/strict_resume", schemaPath: "#/properties/strict_resume/type", keyword: "type", params: { type: schema65.properties.strict_resume.type }, message: "must be boolean,null" }];
                                                    return false;
                                                  }
                                                  var valid0 = _errs132 === errors;
                                                } else {
                                                  var valid0 = true;
                                                }
                                              }
                                            }
                                          }
                                        }
                                      }
                                    }
                                  }
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate64.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate64.errors = vErrors;
  return errors === 0;
}
var RunJoinQuery = validate65;
var schema68 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "runs/run-join-query", "title": "RunJoinQuery", "description": "How to join a run.", "type": "object", "properties": { "stream_mode": { "type": "array", "items": { "type": "string", "enum": ["values", "messages", "messages-tuple", "tasks", "checkpoints", "updates", "events", "debug", "custom", "tools"] } }, "cancel_on_disconnect": { "type": "boolean" } } };
function validate65(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.stream_mode !== void 0) {
        let data0 = data.stream_mode;
        const _errs1 = errors;
        if (errors === _errs1) {
          if (Array.isArray(data0)) {
            var valid1 = true;
            const len0 = data0.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data1 = data0[i0];
              const _errs3 = errors;
              if (typeof data1 !== "string") {
                validate65.errors = [{ instancePath: instancePath + "/stream_mode/" + i0, schemaPath: "#/properties/stream_mode/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
              if (!(data1 === "values" || data1 === "messages" || data1 === "messages-tuple" || data1 === "tasks" || data1 === "checkpoints" || data1 === "updates" || data1 === "events" || data1 === "debug" || data1 === "custom" || data1 === "tools")) {
                validate65.errors = [{ instancePath: instancePath + "/stream_mode/" + i0, schemaPath: "#/properties/stream_mode/items/enum", keyword: "enum", params: { allowedValues: schema68.properties.stream_mode.items.enum }, message: "must be equal to one of the allowed values" }];
                return false;
              }
              var valid1 = _errs3 === errors;
              if (!valid1) {
                break;
              }
            }
          } else {
            validate65.errors = [{ instancePath: instancePath + "/stream_mode", schemaPath: "#/properties/stream_mode/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
            return false;
          }
        }
        var valid0 = _errs1 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.cancel_on_disconnect !== void 0) {
          const _errs5 = errors;
          if (typeof data.cancel_on_disconnect !== "boolean") {
            validate65.errors = [{ instancePath: instancePath + "/cancel_on_disconnect", schemaPath: "#/properties/cancel_on_disconnect/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" }];
            return false;
          }
          var valid0 = _errs5 === errors;
        } else {
          var valid0 = true;
        }
      }
    } else {
      validate65.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate65.errors = vErrors;
  return errors === 0;
}
var RunListQuery = validate66;
var schema69 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "runs/run-list-query", "title": "RunListQuery", "description": "Runs of a thread, newest first.", "type": "object", "properties": { "limit": { "type": "integer", "minimum": 1, "maximum": 1e3, "default": 10 }, "offset": { "type": "integer", "minimum": 0, "maximum": 1e6, "default": 0 }, "status": { "type": "string", "enum": ["pending", "running", "error", "success", "timeout", "interrupted"] }, "select": { "type": "array", "items": { "type": "string", "enum": ["run_id", "thread_id", "assistant_id", "created_at", "updated_at", "status", "metadata", "kwargs", "multitask_strategy"] } } } };
function validate66(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.limit === void 0) {
        data.limit = 10;
      }
      if (data.offset === void 0) {
        data.offset = 0;
      }
      let data0 = data.limit;
      const _errs1 = errors;
      if (!(typeof data0 == "number" && (!(data0 % 1) && !isNaN(data0)) && isFinite(data0))) {
        validate66.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
        return false;
      }
      if (errors === _errs1) {
        if (typeof data0 == "number" && isFinite(data0)) {
          if (data0 > 1e3 || isNaN(data0)) {
            validate66.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" }];
            return false;
          } else {
            if (data0 < 1 || isNaN(data0)) {
              validate66.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
              return false;
            }
          }
        }
      }
      var valid0 = _errs1 === errors;
      if (valid0) {
        let data1 = data.offset;
        const _errs3 = errors;
        if (!(typeof data1 == "number" && (!(data1 % 1) && !isNaN(data1)) && isFinite(data1))) {
          validate66.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
          return false;
        }
        if (errors === _errs3) {
          if (typeof data1 == "number" && isFinite(data1)) {
            if (data1 > 1e6 || isNaN(data1)) {
              validate66.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" }];
              return false;
            } else {
              if (data1 < 0 || isNaN(data1)) {
                validate66.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                return false;
              }
            }
          }
        }
        var valid0 = _errs3 === errors;
        if (valid0) {
          if (data.status !== void 0) {
            let data2 = data.status;
            const _errs5 = errors;
            if (typeof data2 !== "string") {
              validate66.errors = [{ instancePath: instancePath + "/status", schemaPath: "#/properties/status/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
              return false;
            }
            if (!(data2 === "pending" || data2 === "running" || data2 === "error" || data2 === "success" || data2 === "timeout" || data2 === "interrupted")) {
              validate66.errors = [{ instancePath: instancePath + "/status", schemaPath: "#/properties/status/enum", keyword: "enum", params: { allowedValues: schema69.properties.status.enum }, message: "must be equal to one of the allowed values" }];
              return false;
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.select !== void 0) {
              let data3 = data.select;
              const _errs7 = errors;
              if (errors === _errs7) {
                if (Array.isArray(data3)) {
                  var valid1 = true;
                  const len0 = data3.length;
                  for (let i0 = 0; i0 < len0; i0++) {
                    let data4 = data3[i0];
                    const _errs9 = errors;
                    if (typeof data4 !== "string") {
                      validate66.errors = [{ instancePath: instancePath + "/select/" + i0, schemaPath: "#/properties/select/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                      return false;
                    }
                    if (!(data4 === "run_id" || data4 === "thread_id" || data4 === "assistant_id" || data4 === "created_at" || data4 === "updated_at" || data4 === "status" || data4 === "metadata" || data4 === "kwargs" || data4 === "multitask_strategy")) {
                      validate66.errors = [{ instancePath: instancePath + "/select/" + i0, schemaPath: "#/properties/select/items/enum", keyword: "enum", params: { allowedValues: schema69.properties.select.items.enum }, message: "must be equal to one of the allowed values" }];
                      return false;
                    }
                    var valid1 = _errs9 === errors;
                    if (!valid1) {
                      break;
                    }
                  }
                } else {
                  validate66.errors = [{ instancePath: instancePath + "/select", schemaPath: "#/properties/select/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
                  return false;
                }
              }
              var valid0 = _errs7 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate66.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate66.errors = vErrors;
  return errors === 0;
}
var ItemDelete = validate67;
var schema70 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "store/item-delete", "title": "ItemDelete", "description": "Which item.", "type": "object", "properties": { "namespace": { "type": ["array", "null"], "items": { "type": "string" } }, "key": { "type": "string", "minLength": 1, "maxLength": 1600 } }, "required": ["key"], "additionalProperties": true };
function validate67(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.key === void 0 && (missing0 = "key")) {
        validate67.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.namespace !== void 0) {
          let data0 = data.namespace;
          const _errs2 = errors;
          if (!Array.isArray(data0) && data0 !== null) {
            validate67.errors = [{ instancePath: instancePath + "/namespace", schemaPath: "#/properties/namespace/type", keyword: "type", params: { type: schema70.properties.namespace.type }, message: "must be array,null" }];
            return false;
          }
          if (errors === _errs2) {
            if (Array.isArray(data0)) {
              var valid1 = true;
              const len0 = data0.length;
              for (let i0 = 0; i0 < len0; i0++) {
                const _errs4 = errors;
                if (typeof data0[i0] !== "string") {
                  validate67.errors = [{ instancePath: instancePath + "/namespace/" + i0, schemaPath: "#/properties/namespace/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                  return false;
                }
                var valid1 = _errs4 === errors;
                if (!valid1) {
                  break;
                }
              }
            }
          }
          var valid0 = _errs2 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.key !== void 0) {
            let data2 = data.key;
            const _errs6 = errors;
            if (errors === _errs6) {
              if (typeof data2 === "string") {
                if (func2(data2) > 1600) {
                  validate67.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/maxLength", keyword: "maxLength", params: { limit: 1600 }, message: "must NOT have more than 1600 characters" }];
                  return false;
                } else {
                  if (func2(data2) < 1) {
                    validate67.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
                    return false;
                  }
                }
              } else {
                validate67.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
            }
            var valid0 = _errs6 === errors;
          } else {
            var valid0 = true;
          }
        }
      }
    } else {
      validate67.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate67.errors = vErrors;
  return errors === 0;
}
var ItemParams = validate68;
function validate68(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.key === void 0 && (missing0 = "key")) {
        validate68.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.namespace !== void 0) {
          let data0 = data.namespace;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (Array.isArray(data0)) {
              var valid1 = true;
              const len0 = data0.length;
              for (let i0 = 0; i0 < len0; i0++) {
                const _errs4 = errors;
                if (typeof data0[i0] !== "string") {
                  validate68.errors = [{ instancePath: instancePath + "/namespace/" + i0, schemaPath: "#/properties/namespace/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                  return false;
                }
                var valid1 = _errs4 === errors;
                if (!valid1) {
                  break;
                }
              }
            } else {
              validate68.errors = [{ instancePath: instancePath + "/namespace", schemaPath: "#/properties/namespace/type", keyword: "type", params: { type: "array" }, message: "must be array" }];
              return false;
            }
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.key !== void 0) {
            let data2 = data.key;
            const _errs6 = errors;
            if (errors === _errs6) {
              if (typeof data2 === "string") {
                if (func2(data2) > 1600) {
                  validate68.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/maxLength", keyword: "maxLength", params: { limit: 1600 }, message: "must NOT have more than 1600 characters" }];
                  return false;
                } else {
                  if (func2(data2) < 1) {
                    validate68.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
                    return false;
                  }
                }
              } else {
                validate68.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
            }
            var valid0 = _errs6 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.refresh_ttl !== void 0) {
              const _errs8 = errors;
              if (typeof data.refresh_ttl !== "boolean") {
                validate68.errors = [{ instancePath: instancePath + "/refresh_ttl", schemaPath: "#/properties/refresh_ttl/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" }];
                return false;
              }
              var valid0 = _errs8 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate68.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate68.errors = vErrors;
  return errors === 0;
}
var ItemPut = validate69;
var schema72 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "store/item-put", "title": "ItemPut", "description": "An item of long-term memory.", "type": "object", "properties": { "namespace": { "type": ["array", "null"], "items": { "type": "string" }, "description": "Labels from the outermost on; none is empty or has a period." }, "key": { "type": "string", "minLength": 1, "maxLength": 1600 }, "value": { "type": "object", "additionalProperties": true }, "index": { "anyOf": [{ "enum": [false, null] }, { "type": "array", "items": { "type": "string" }, "maxItems": 100 }], "description": "What a semantic search looks at: false for nothing, paths into the value, or null for what is configured." }, "ttl": { "type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 5256e4, "description": "Minutes to live. Default store.ttl.default_ttl; null is for ever." } }, "required": ["key", "value"], "additionalProperties": true };
function validate69(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.key === void 0 && (missing0 = "key") || data.value === void 0 && (missing0 = "value")) {
        validate69.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.namespace !== void 0) {
          let data0 = data.namespace;
          const _errs2 = errors;
          if (!Array.isArray(data0) && data0 !== null) {
            validate69.errors = [{ instancePath: instancePath + "/namespace", schemaPath: "#/properties/namespace/type", keyword: "type", params: { type: schema72.properties.namespace.type }, message: "must be array,null" }];
            return false;
          }
          if (errors === _errs2) {
            if (Array.isArray(data0)) {
              var valid1 = true;
              const len0 = data0.length;
              for (let i0 = 0; i0 < len0; i0++) {
                const _errs4 = errors;
                if (typeof data0[i0] !== "string") {
                  validate69.errors = [{ instancePath: instancePath + "/namespace/" + i0, schemaPath: "#/properties/namespace/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                  return false;
                }
                var valid1 = _errs4 === errors;
                if (!valid1) {
                  break;
                }
              }
            }
          }
          var valid0 = _errs2 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.key !== void 0) {
            let data2 = data.key;
            const _errs6 = errors;
            if (errors === _errs6) {
              if (typeof data2 === "string") {
                if (func2(data2) > 1600) {
                  validate69.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/maxLength", keyword: "maxLength", params: { limit: 1600 }, message: "must NOT have more than 1600 characters" }];
                  return false;
                } else {
                  if (func2(data2) < 1) {
                    validate69.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }];
                    return false;
                  }
                }
              } else {
                validate69.errors = [{ instancePath: instancePath + "/key", schemaPath: "#/properties/key/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
            }
            var valid0 = _errs6 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.value !== void 0) {
              let data3 = data.value;
              const _errs8 = errors;
              if (errors === _errs8) {
                if (!(data3 && typeof data3 == "object" && !Array.isArray(data3))) {
                  validate69.errors = [{ instancePath: instancePath + "/value", schemaPath: "#/properties/value/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
                  return false;
                }
              }
              var valid0 = _errs8 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.index !== void 0) {
                let data4 = data.index;
                const _errs11 = errors;
                const _errs12 = errors;
                let valid2 = false;
                const _errs13 = errors;
                if (!(data4 === false || data4 === null)) {
                  const err0 = { instancePath: instancePath + "/index", schemaPath: "#/properties/index/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema72.properties.index.anyOf[0].enum }, message: "must be equal to one of the allowed values" };
                  if (vErrors === null) {
                    vErrors = [err0];
                  } else {
                    vErrors.push(err0);
                  }
                  errors++;
                }
                var _valid0 = _errs13 === errors;
                valid2 = valid2 || _valid0;
                if (!valid2) {
                  const _errs14 = errors;
                  if (errors === _errs14) {
                    if (Array.isArray(data4)) {
                      if (data4.length > 100) {
                        const err1 = { instancePath: instancePath + "/index", schemaPath: "#/properties/index/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
                        if (vErrors === null) {
                          vErrors = [err1];
                        } else {
                          vErrors.push(err1);
                        }
                        errors++;
                      } else {
                        var valid3 = true;
                        const len1 = data4.length;
                        for (let i1 = 0; i1 < len1; i1++) {
                          const _errs16 = errors;
                          if (typeof data4[i1] !== "string") {
                            const err2 = { instancePath: instancePath + "/index/" + i1, schemaPath: "#/properties/index/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            if (vErrors === null) {
                              vErrors = [err2];
                            } else {
                              vErrors.push(err2);
                            }
                            errors++;
                          }
                          var valid3 = _errs16 === errors;
                          if (!valid3) {
                            break;
                          }
                        }
                      }
                    } else {
                      const err3 = { instancePath: instancePath + "/index", schemaPath: "#/properties/index/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                      if (vErrors === null) {
                        vErrors = [err3];
                      } else {
                        vErrors.push(err3);
                      }
                      errors++;
                    }
                  }
                  var _valid0 = _errs14 === errors;
                  valid2 = valid2 || _valid0;
                }
                if (!valid2) {
                  const err4 = { instancePath: instancePath + "/index", schemaPath: "#/properties/index/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                  if (vErrors === null) {
                    vErrors = [err4];
                  } else {
                    vErrors.push(err4);
                  }
                  errors++;
                  validate69.errors = vErrors;
                  return false;
                } else {
                  errors = _errs12;
                  if (vErrors !== null) {
                    if (_errs12) {
                      vErrors.length = _errs12;
                    } else {
                      vErrors = null;
                    }
                  }
                }
                var valid0 = _errs11 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.ttl !== void 0) {
                  let data6 = data.ttl;
                  const _errs18 = errors;
                  if (!(typeof data6 == "number" && isFinite(data6)) && data6 !== null) {
                    validate69.errors = [{ instancePath: instancePath + "/ttl", schemaPath: "#/properties/ttl/type", keyword: "type", params: { type: schema72.properties.ttl.type }, message: "must be number,null" }];
                    return false;
                  }
                  if (errors === _errs18) {
                    if (typeof data6 == "number" && isFinite(data6)) {
                      if (data6 > 5256e4 || isNaN(data6)) {
                        validate69.errors = [{ instancePath: instancePath + "/ttl", schemaPath: "#/properties/ttl/maximum", keyword: "maximum", params: { comparison: "<=", limit: 5256e4 }, message: "must be <= 52560000" }];
                        return false;
                      } else {
                        if (data6 <= 0 || isNaN(data6)) {
                          validate69.errors = [{ instancePath: instancePath + "/ttl", schemaPath: "#/properties/ttl/exclusiveMinimum", keyword: "exclusiveMinimum", params: { comparison: ">", limit: 0 }, message: "must be > 0" }];
                          return false;
                        }
                      }
                    }
                  }
                  var valid0 = _errs18 === errors;
                } else {
                  var valid0 = true;
                }
              }
            }
          }
        }
      }
    } else {
      validate69.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate69.errors = vErrors;
  return errors === 0;
}
var ItemSearch = validate70;
var schema73 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "store/item-search", "title": "ItemSearch", "description": "Which items, newest update first.", "type": "object", "properties": { "namespace_prefix": { "type": ["array", "null"], "items": { "type": "string" }, "description": "In this namespace and below it. Default all." }, "filter": { "type": ["object", "null"], "additionalProperties": true, "description": "What members of the value must be: a value, or operators $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin." }, "query": { "type": ["string", "null"], "description": "Words to search for by their meaning, where that is configured." }, "limit": { "type": ["integer", "null"], "minimum": 1, "maximum": 1e3 }, "offset": { "type": ["integer", "null"], "minimum": 0, "maximum": 1e6 }, "refresh_ttl": { "type": ["boolean", "null"], "description": "Reading starts the time to live anew. Default store.ttl.refresh_on_read." } }, "additionalProperties": true };
function validate70(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.namespace_prefix !== void 0) {
        let data0 = data.namespace_prefix;
        const _errs2 = errors;
        if (!Array.isArray(data0) && data0 !== null) {
          validate70.errors = [{ instancePath: instancePath + "/namespace_prefix", schemaPath: "#/properties/namespace_prefix/type", keyword: "type", params: { type: schema73.properties.namespace_prefix.type }, message: "must be array,null" }];
          return false;
        }
        if (errors === _errs2) {
          if (Array.isArray(data0)) {
            var valid1 = true;
            const len0 = data0.length;
            for (let i0 = 0; i0 < len0; i0++) {
              const _errs4 = errors;
              if (typeof data0[i0] !== "string") {
                validate70.errors = [{ instancePath: instancePath + "/namespace_prefix/" + i0, schemaPath: "#/properties/namespace_prefix/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
              var valid1 = _errs4 === errors;
              if (!valid1) {
                break;
              }
            }
          }
        }
        var valid0 = _errs2 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.filter !== void 0) {
          let data2 = data.filter;
          const _errs6 = errors;
          if (!(data2 && typeof data2 == "object" && !Array.isArray(data2)) && data2 !== null) {
            validate70.errors = [{ instancePath: instancePath + "/filter", schemaPath: "#/properties/filter/type", keyword: "type", params: { type: schema73.properties.filter.type }, message: "must be object,null" }];
            return false;
          }
          var valid0 = _errs6 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.query !== void 0) {
            let data3 = data.query;
            const _errs9 = errors;
            if (typeof data3 !== "string" && data3 !== null) {
              validate70.errors = [{ instancePath: instancePath + "/query", schemaPath: "#/properties/query/type", keyword: "type", params: { type: schema73.properties.query.type }, message: "must be string,null" }];
              return false;
            }
            var valid0 = _errs9 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.limit !== void 0) {
              let data4 = data.limit;
              const _errs11 = errors;
              if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4)) && data4 !== null) {
                validate70.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: schema73.properties.limit.type }, message: "must be integer,null" }];
                return false;
              }
              if (errors === _errs11) {
                if (typeof data4 == "number" && isFinite(data4)) {
                  if (data4 > 1e3 || isNaN(data4)) {
                    validate70.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" }];
                    return false;
                  } else {
                    if (data4 < 1 || isNaN(data4)) {
                      validate70.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                      return false;
                    }
                  }
                }
              }
              var valid0 = _errs11 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.offset !== void 0) {
                let data5 = data.offset;
                const _errs13 = errors;
                if (!(typeof data5 == "number" && (!(data5 % 1) && !isNaN(data5)) && isFinite(data5)) && data5 !== null) {
                  validate70.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/type", keyword: "type", params: { type: schema73.properties.offset.type }, message: "must be integer,null" }];
                  return false;
                }
                if (errors === _errs13) {
                  if (typeof data5 == "number" && isFinite(data5)) {
                    if (data5 > 1e6 || isNaN(data5)) {
                      validate70.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" }];
                      return false;
                    } else {
                      if (data5 < 0 || isNaN(data5)) {
                        validate70.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                        return false;
                      }
                    }
                  }
                }
                var valid0 = _errs13 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.refresh_ttl !== void 0) {
                  let data6 = data.refresh_ttl;
                  const _errs15 = errors;
                  if (typeof data6 !== "boolean" && data6 !== null) {
                    validate70.errors = [{ instancePath: instancePath + "/refresh_ttl", schemaPath: "#/properties/refresh_ttl/type", keyword: "type", params: { type: schema73.properties.refresh_ttl.type }, message: "must be boolean,null" }];
                    return false;
                  }
                  var valid0 = _errs15 === errors;
                } else {
                  var valid0 = true;
                }
              }
            }
          }
        }
      }
    } else {
      validate70.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate70.errors = vErrors;
  return errors === 0;
}
var NamespaceList = validate71;
var schema74 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "store/namespace-list", "title": "NamespaceList", "description": "Which namespaces.", "type": "object", "properties": { "prefix": { "type": ["array", "null"], "items": { "type": "string" }, "description": "What they begin with; * stands for any one label." }, "suffix": { "type": ["array", "null"], "items": { "type": "string" }, "description": "What they end with; * stands for any one label." }, "max_depth": { "type": ["integer", "null"], "minimum": 1, "maximum": 1e3, "description": "Labels that are shown of each." }, "limit": { "type": ["integer", "null"], "minimum": 1, "maximum": 1e3 }, "offset": { "type": ["integer", "null"], "minimum": 0, "maximum": 1e6 } }, "additionalProperties": true };
function validate71(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.prefix !== void 0) {
        let data0 = data.prefix;
        const _errs2 = errors;
        if (!Array.isArray(data0) && data0 !== null) {
          validate71.errors = [{ instancePath: instancePath + "/prefix", schemaPath: "#/properties/prefix/type", keyword: "type", params: { type: schema74.properties.prefix.type }, message: "must be array,null" }];
          return false;
        }
        if (errors === _errs2) {
          if (Array.isArray(data0)) {
            var valid1 = true;
            const len0 = data0.length;
            for (let i0 = 0; i0 < len0; i0++) {
              const _errs4 = errors;
              if (typeof data0[i0] !== "string") {
                validate71.errors = [{ instancePath: instancePath + "/prefix/" + i0, schemaPath: "#/properties/prefix/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                return false;
              }
              var valid1 = _errs4 === errors;
              if (!valid1) {
                break;
              }
            }
          }
        }
        var valid0 = _errs2 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.suffix !== void 0) {
          let data2 = data.suffix;
          const _errs6 = errors;
          if (!Array.isArray(data2) && data2 !== null) {
            validate71.errors = [{ instancePath: instancePath + "/suffix", schemaPath: "#/properties/suffix/type", keyword: "type", params: { type: schema74.properties.suffix.type }, message: "must be array,null" }];
            return false;
          }
          if (errors === _errs6) {
            if (Array.isArray(data2)) {
              var valid2 = true;
              const len1 = data2.length;
              for (let i1 = 0; i1 < len1; i1++) {
                const _errs8 = errors;
                if (typeof data2[i1] !== "string") {
                  validate71.errors = [{ instancePath: instancePath + "/suffix/" + i1, schemaPath: "#/properties/suffix/items/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                  return false;
                }
                var valid2 = _errs8 === errors;
                if (!valid2) {
                  break;
                }
              }
            }
          }
          var valid0 = _errs6 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.max_depth !== void 0) {
            let data4 = data.max_depth;
            const _errs10 = errors;
            if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4)) && data4 !== null) {
              validate71.errors = [{ instancePath: instancePath + "/max_depth", schemaPath: "#/properties/max_depth/type", keyword: "type", params: { type: schema74.properties.max_depth.type }, message: "must be integer,null" }];
              return false;
            }
            if (errors === _errs10) {
              if (typeof data4 == "number" && isFinite(data4)) {
                if (data4 > 1e3 || isNaN(data4)) {
                  validate71.errors = [{ instancePath: instancePath + "/max_depth", schemaPath: "#/properties/max_depth/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" }];
                  return false;
                } else {
                  if (data4 < 1 || isNaN(data4)) {
                    validate71.errors = [{ instancePath: instancePath + "/max_depth", schemaPath: "#/properties/max_depth/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                    return false;
                  }
                }
              }
            }
            var valid0 = _errs10 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.limit !== void 0) {
              let data5 = data.limit;
              const _errs12 = errors;
              if (!(typeof data5 == "number" && (!(data5 % 1) && !isNaN(data5)) && isFinite(data5)) && data5 !== null) {
                validate71.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: schema74.properties.limit.type }, message: "must be integer,null" }];
                return false;
              }
              if (errors === _errs12) {
                if (typeof data5 == "number" && isFinite(data5)) {
                  if (data5 > 1e3 || isNaN(data5)) {
                    validate71.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" }];
                    return false;
                  } else {
                    if (data5 < 1 || isNaN(data5)) {
                      validate71.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                      return false;
                    }
                  }
                }
              }
              var valid0 = _errs12 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.offset !== void 0) {
                let data6 = data.offset;
                const _errs14 = errors;
                if (!(typeof data6 == "number" && (!(data6 % 1) && !isNaN(data6)) && isFinite(data6)) && data6 !== null) {
                  validate71.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/type", keyword: "type", params: { type: schema74.properties.offset.type }, message: "must be integer,null" }];
                  return false;
                }
                if (errors === _errs14) {
                  if (typeof data6 == "number" && isFinite(data6)) {
                    if (data6 > 1e6 || isNaN(data6)) {
                      validate71.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" }];
                      return false;
                    } else {
                      if (data6 < 0 || isNaN(data6)) {
                        validate71.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                        return false;
                      }
                    }
                  }
                }
                var valid0 = _errs14 === errors;
              } else {
                var valid0 = true;
              }
            }
          }
        }
      }
    } else {
      validate71.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate71.errors = vErrors;
  return errors === 0;
}
var HistoryListQuery = validate72;
function validate72(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.limit === void 0) {
        data.limit = 10;
      }
      let data0 = data.limit;
      const _errs1 = errors;
      if (!(typeof data0 == "number" && (!(data0 % 1) && !isNaN(data0)) && isFinite(data0))) {
        validate72.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
        return false;
      }
      if (errors === _errs1) {
        if (typeof data0 == "number" && isFinite(data0)) {
          if (data0 > 1e3 || isNaN(data0)) {
            validate72.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" }];
            return false;
          } else {
            if (data0 < 1 || isNaN(data0)) {
              validate72.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
              return false;
            }
          }
        }
      }
      var valid0 = _errs1 === errors;
      if (valid0) {
        if (data.before !== void 0) {
          const _errs3 = errors;
          if (typeof data.before !== "string") {
            validate72.errors = [{ instancePath: instancePath + "/before", schemaPath: "#/properties/before/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
            return false;
          }
          var valid0 = _errs3 === errors;
        } else {
          var valid0 = true;
        }
      }
    } else {
      validate72.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate72.errors = vErrors;
  return errors === 0;
}
var HistoryQuery = validate73;
var schema76 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "threads/history", "title": "HistoryQuery", "description": "Which states, newest first.", "type": "object", "properties": { "limit": { "type": ["integer", "null"], "minimum": 1, "maximum": 1e3, "description": "Default 10." }, "before": { "description": "A checkpoint id, a checkpoint or a config; only older states are shown.", "anyOf": [{ "type": "null" }, { "type": "string" }, { "type": "object", "additionalProperties": true }] }, "metadata": { "type": ["object", "null"], "additionalProperties": true, "description": "Contained in the checkpoint's metadata." }, "checkpoint": { "type": ["object", "null"], "properties": { "thread_id": { "type": ["string", "null"] }, "checkpoint_id": { "type": ["string", "null"] }, "checkpoint_ns": { "type": ["string", "null"] }, "checkpoint_map": { "type": ["object", "null"], "additionalProperties": true } }, "additionalProperties": true } }, "additionalProperties": true };
function validate73(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.limit !== void 0) {
        let data0 = data.limit;
        const _errs2 = errors;
        if (!(typeof data0 == "number" && (!(data0 % 1) && !isNaN(data0)) && isFinite(data0)) && data0 !== null) {
          validate73.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: schema76.properties.limit.type }, message: "must be integer,null" }];
          return false;
        }
        if (errors === _errs2) {
          if (typeof data0 == "number" && isFinite(data0)) {
            if (data0 > 1e3 || isNaN(data0)) {
              validate73.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" }];
              return false;
            } else {
              if (data0 < 1 || isNaN(data0)) {
                validate73.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                return false;
              }
            }
          }
        }
        var valid0 = _errs2 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.before !== void 0) {
          let data1 = data.before;
          const _errs4 = errors;
          const _errs5 = errors;
          let valid1 = false;
          const _errs6 = errors;
          if (data1 !== null) {
            const err0 = { instancePath: instancePath + "/before", schemaPath: "#/properties/before/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
            if (vErrors === null) {
              vErrors = [err0];
            } else {
              vErrors.push(err0);
            }
            errors++;
          }
          var _valid0 = _errs6 === errors;
          valid1 = valid1 || _valid0;
          if (!valid1) {
            const _errs8 = errors;
            if (typeof data1 !== "string") {
              const err1 = { instancePath: instancePath + "/before", schemaPath: "#/properties/before/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              if (vErrors === null) {
                vErrors = [err1];
              } else {
                vErrors.push(err1);
              }
              errors++;
            }
            var _valid0 = _errs8 === errors;
            valid1 = valid1 || _valid0;
            if (!valid1) {
              const _errs10 = errors;
              if (errors === _errs10) {
                if (!(data1 && typeof data1 == "object" && !Array.isArray(data1))) {
                  const err2 = { instancePath: instancePath + "/before", schemaPath: "#/properties/before/anyOf/2/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  if (vErrors === null) {
                    vErrors = [err2];
                  } else {
                    vErrors.push(err2);
                  }
                  errors++;
                }
              }
              var _valid0 = _errs10 === errors;
              valid1 = valid1 || _valid0;
            }
          }
          if (!valid1) {
            const err3 = { instancePath: instancePath + "/before", schemaPath: "#/properties/before/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
            if (vErrors === null) {
              vErrors = [err3];
            } else {
              vErrors.push(err3);
            }
            errors++;
            validate73.errors = vErrors;
            return false;
          } else {
            errors = _errs5;
            if (vErrors !== null) {
              if (_errs5) {
                vErrors.length = _errs5;
              } else {
                vErrors = null;
              }
            }
          }
          var valid0 = _errs4 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.metadata !== void 0) {
            let data2 = data.metadata;
            const _errs13 = errors;
            if (!(data2 && typeof data2 == "object" && !Array.isArray(data2)) && data2 !== null) {
              validate73.errors = [{ instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: schema76.properties.metadata.type }, message: "must be object,null" }];
              return false;
            }
            var valid0 = _errs13 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.checkpoint !== void 0) {
              let data3 = data.checkpoint;
              const _errs16 = errors;
              if (!(data3 && typeof data3 == "object" && !Array.isArray(data3)) && data3 !== null) {
                validate73.errors = [{ instancePath: instancePath + "/checkpoint", schemaPath: "#/properties/checkpoint/type", keyword: "type", params: { type: schema76.properties.checkpoint.type }, message: "must be object,null" }];
                return false;
              }
              if (errors === _errs16) {
                if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
                  if (data3.thread_id !== void 0) {
                    let data4 = data3.thread_id;
                    const _errs19 = errors;
                    if (typeof data4 !== "string" && data4 !== null) {
                      validate73.errors = [{ instancePath: instancePath + "/checkpoint/thread_id", schemaPath: "#/properties/checkpoint/properties/thread_id/type", keyword: "type", params: { type: schema76.properties.checkpoint.properties.thread_id.type }, message: "must be string,null" }];
                      return false;
                    }
                    var valid2 = _errs19 === errors;
                  } else {
                    var valid2 = true;
                  }
                  if (valid2) {
                    if (data3.checkpoint_id !== void 0) {
                      let data5 = data3.checkpoint_id;
                      const _errs21 = errors;
                      if (typeof data5 !== "string" && data5 !== null) {
                        validate73.errors = [{ instancePath: instancePath + "/checkpoint/checkpoint_id", schemaPath: "#/properties/checkpoint/properties/checkpoint_id/type", keyword: "type", params: { type: schema76.properties.checkpoint.properties.checkpoint_id.type }, message: "must be string,null" }];
                        return false;
                      }
                      var valid2 = _errs21 === errors;
                    } else {
                      var valid2 = true;
                    }
                    if (valid2) {
                      if (data3.checkpoint_ns !== void 0) {
                        let data6 = data3.checkpoint_ns;
                        const _errs23 = errors;
                        if (typeof data6 !== "string" && data6 !== null) {
                          validate73.errors = [{ instancePath: instancePath + "/checkpoint/checkpoint_ns", schemaPath: "#/properties/checkpoint/properties/checkpoint_ns/type", keyword: "type", params: { type: schema76.properties.checkpoint.properties.checkpoint_ns.type }, message: "must be string,null" }];
                          return false;
                        }
                        var valid2 = _errs23 === errors;
                      } else {
                        var valid2 = true;
                      }
                      if (valid2) {
                        if (data3.checkpoint_map !== void 0) {
                          let data7 = data3.checkpoint_map;
                          const _errs25 = errors;
                          if (!(data7 && typeof data7 == "object" && !Array.isArray(data7)) && data7 !== null) {
                            validate73.errors = [{ instancePath: instancePath + "/checkpoint/checkpoint_map", schemaPath: "#/properties/checkpoint/properties/checkpoint_map/type", keyword: "type", params: { type: schema76.properties.checkpoint.properties.checkpoint_map.type }, message: "must be object,null" }];
                            return false;
                          }
                          var valid2 = _errs25 === errors;
                        } else {
                          var valid2 = true;
                        }
                      }
                    }
                  }
                }
              }
              var valid0 = _errs16 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate73.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate73.errors = vErrors;
  return errors === 0;
}
var StateAtCheckpoint = validate74;
var schema77 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "threads/state-checkpoint", "title": "StateAtCheckpoint", "description": "The state at a checkpoint.", "type": "object", "properties": { "checkpoint": { "type": "object", "properties": { "thread_id": { "type": ["string", "null"] }, "checkpoint_id": { "type": ["string", "null"] }, "checkpoint_ns": { "type": ["string", "null"] }, "checkpoint_map": { "type": ["object", "null"], "additionalProperties": true } }, "additionalProperties": true }, "subgraphs": { "type": ["boolean", "null"] } }, "required": ["checkpoint"], "additionalProperties": true };
function validate74(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.checkpoint === void 0 && (missing0 = "checkpoint")) {
        validate74.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }];
        return false;
      } else {
        if (data.checkpoint !== void 0) {
          let data0 = data.checkpoint;
          const _errs2 = errors;
          if (errors === _errs2) {
            if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
              if (data0.thread_id !== void 0) {
                let data1 = data0.thread_id;
                const _errs5 = errors;
                if (typeof data1 !== "string" && data1 !== null) {
                  validate74.errors = [{ instancePath: instancePath + "/checkpoint/thread_id", schemaPath: "#/properties/checkpoint/properties/thread_id/type", keyword: "type", params: { type: schema77.properties.checkpoint.properties.thread_id.type }, message: "must be string,null" }];
                  return false;
                }
                var valid1 = _errs5 === errors;
              } else {
                var valid1 = true;
              }
              if (valid1) {
                if (data0.checkpoint_id !== void 0) {
                  let data2 = data0.checkpoint_id;
                  const _errs7 = errors;
                  if (typeof data2 !== "string" && data2 !== null) {
                    validate74.errors = [{ instancePath: instancePath + "/checkpoint/checkpoint_id", schemaPath: "#/properties/checkpoint/properties/checkpoint_id/type", keyword: "type", params: { type: schema77.properties.checkpoint.properties.checkpoint_id.type }, message: "must be string,null" }];
                    return false;
                  }
                  var valid1 = _errs7 === errors;
                } else {
                  var valid1 = true;
                }
                if (valid1) {
                  if (data0.checkpoint_ns !== void 0) {
                    let data3 = data0.checkpoint_ns;
                    const _errs9 = errors;
                    if (typeof data3 !== "string" && data3 !== null) {
                      validate74.errors = [{ instancePath: instancePath + "/checkpoint/checkpoint_ns", schemaPath: "#/properties/checkpoint/properties/checkpoint_ns/type", keyword: "type", params: { type: schema77.properties.checkpoint.properties.checkpoint_ns.type }, message: "must be string,null" }];
                      return false;
                    }
                    var valid1 = _errs9 === errors;
                  } else {
                    var valid1 = true;
                  }
                  if (valid1) {
                    if (data0.checkpoint_map !== void 0) {
                      let data4 = data0.checkpoint_map;
                      const _errs11 = errors;
                      if (!(data4 && typeof data4 == "object" && !Array.isArray(data4)) && data4 !== null) {
                        validate74.errors = [{ instancePath: instancePath + "/checkpoint/checkpoint_map", schemaPath: "#/properties/checkpoint/properties/checkpoint_map/type", keyword: "type", params: { type: schema77.properties.checkpoint.properties.checkpoint_map.type }, message: "must be object,null" }];
                        return false;
                      }
                      var valid1 = _errs11 === errors;
                    } else {
                      var valid1 = true;
                    }
                  }
                }
              }
            } else {
              validate74.errors = [{ instancePath: instancePath + "/checkpoint", schemaPath: "#/properties/checkpoint/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
              return false;
            }
          }
          var valid0 = _errs2 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.subgraphs !== void 0) {
            let data5 = data.subgraphs;
            const _errs14 = errors;
            if (typeof data5 !== "boolean" && data5 !== null) {
              validate74.errors = [{ instancePath: instancePath + "/subgraphs", schemaPath: "#/properties/subgraphs/type", keyword: "type", params: { type: schema77.properties.subgraphs.type }, message: "must be boolean,null" }];
              return false;
            }
            var valid0 = _errs14 === errors;
          } else {
            var valid0 = true;
          }
        }
      }
    } else {
      validate74.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate74.errors = vErrors;
  return errors === 0;
}
var StateQuery = validate75;
function validate75(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.subgraphs === void 0) {
        data.subgraphs = false;
      }
      if (typeof data.subgraphs !== "boolean") {
        validate75.errors = [{ instancePath: instancePath + "/subgraphs", schemaPath: "#/properties/subgraphs/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" }];
        return false;
      }
    } else {
      validate75.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate75.errors = vErrors;
  return errors === 0;
}
var ThreadCreate = validate76;
var schema79 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "threads/thread-create", "title": "ThreadCreate", "description": "A new thread.", "type": "object", "properties": { "thread_id": { "anyOf": [{ "type": "null" }, { "type": "string", "format": "uuid" }] }, "metadata": { "type": ["object", "null"], "additionalProperties": true }, "if_exists": { "enum": ["raise", "do_nothing", null], "description": "Default raise." } }, "additionalProperties": true };
function validate76(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.thread_id !== void 0) {
        let data0 = data.thread_id;
        const _errs2 = errors;
        const _errs3 = errors;
        let valid1 = false;
        const _errs4 = errors;
        if (data0 !== null) {
          const err0 = { instancePath: instancePath + "/thread_id", schemaPath: "#/properties/thread_id/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
          if (vErrors === null) {
            vErrors = [err0];
          } else {
            vErrors.push(err0);
          }
          errors++;
        }
        var _valid0 = _errs4 === errors;
        valid1 = valid1 || _valid0;
        if (!valid1) {
          const _errs6 = errors;
          if (errors === _errs6) {
            if (errors === _errs6) {
              if (typeof data0 === "string") {
                if (!formats0.test(data0)) {
                  const err1 = { instancePath: instancePath + "/thread_id", schemaPath: "#/properties/thread_id/anyOf/1/format", keyword: "format", params: { format: "uuid" }, message: 'must match format "uuid"' };
                  if (vErrors === null) {
                    vErrors = [err1];
                  } else {
                    vErrors.push(err1);
                  }
                  errors++;
                }
              } else {
                const err2 = { instancePath: instancePath + "/thread_id", schemaPath: "#/properties/thread_id/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err2];
                } else {
                  vErrors.push(err2);
                }
                errors++;
              }
            }
          }
          var _valid0 = _errs6 === errors;
          valid1 = valid1 || _valid0;
        }
        if (!valid1) {
          const err3 = { instancePath: instancePath + "/thread_id", schemaPath: "#/properties/thread_id/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
          validate76.errors = vErrors;
          return false;
        } else {
          errors = _errs3;
          if (vErrors !== null) {
            if (_errs3) {
              vErrors.length = _errs3;
            } else {
              vErrors = null;
            }
          }
        }
        var valid0 = _errs2 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.metadata !== void 0) {
          let data1 = data.metadata;
          const _errs8 = errors;
          if (!(data1 && typeof data1 == "object" && !Array.isArray(data1)) && data1 !== null) {
            validate76.errors = [{ instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: schema79.properties.metadata.type }, message: "must be object,null" }];
            return false;
          }
          var valid0 = _errs8 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.if_exists !== void 0) {
            let data2 = data.if_exists;
            const _errs11 = errors;
            if (!(data2 === "raise" || data2 === "do_nothing" || data2 === null)) {
              validate76.errors = [{ instancePath: instancePath + "/if_exists", schemaPath: "#/properties/if_exists/enum", keyword: "enum", params: { allowedValues: schema79.properties.if_exists.enum }, message: "must be equal to one of the allowed values" }];
              return false;
            }
            var valid0 = _errs11 === errors;
          } else {
            var valid0 = true;
          }
        }
      }
    } else {
      validate76.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate76.errors = vErrors;
  return errors === 0;
}
var ThreadListQuery = validate77;
var schema80 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "threads/thread-list-query", "title": "ThreadListQuery", "description": "Which threads, and in what order.", "type": "object", "properties": { "limit": { "type": "integer", "minimum": 1, "maximum": 1e3, "default": 10 }, "offset": { "type": "integer", "minimum": 0, "maximum": 1e6, "default": 0 }, "status": { "type": "string", "enum": ["idle", "busy", "interrupted", "error"] }, "metadata": { "type": "object", "description": "JSON object contained in the thread's metadata.", "additionalProperties": true }, "sort_by": { "type": "string", "enum": ["thread_id", "status", "created_at", "updated_at", "state_updated_at"] }, "sort_order": { "type": "string", "enum": ["asc", "desc"] } } };
function validate77(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.limit === void 0) {
        data.limit = 10;
      }
      if (data.offset === void 0) {
        data.offset = 0;
      }
      let data0 = data.limit;
      const _errs1 = errors;
      if (!(typeof data0 == "number" && (!(data0 % 1) && !isNaN(data0)) && isFinite(data0))) {
        validate77.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
        return false;
      }
      if (errors === _errs1) {
        if (typeof data0 == "number" && isFinite(data0)) {
          if (data0 > 1e3 || isNaN(data0)) {
            validate77.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" }];
            return false;
          } else {
            if (data0 < 1 || isNaN(data0)) {
              validate77.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
              return false;
            }
          }
        }
      }
      var valid0 = _errs1 === errors;
      if (valid0) {
        let data1 = data.offset;
        const _errs3 = errors;
        if (!(typeof data1 == "number" && (!(data1 % 1) && !isNaN(data1)) && isFinite(data1))) {
          validate77.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }];
          return false;
        }
        if (errors === _errs3) {
          if (typeof data1 == "number" && isFinite(data1)) {
            if (data1 > 1e6 || isNaN(data1)) {
              validate77.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" }];
              return false;
            } else {
              if (data1 < 0 || isNaN(data1)) {
                validate77.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                return false;
              }
            }
          }
        }
        var valid0 = _errs3 === errors;
        if (valid0) {
          if (data.status !== void 0) {
            let data2 = data.status;
            const _errs5 = errors;
            if (typeof data2 !== "string") {
              validate77.errors = [{ instancePath: instancePath + "/status", schemaPath: "#/properties/status/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
              return false;
            }
            if (!(data2 === "idle" || data2 === "busy" || data2 === "interrupted" || data2 === "error")) {
              validate77.errors = [{ instancePath: instancePath + "/status", schemaPath: "#/properties/status/enum", keyword: "enum", params: { allowedValues: schema80.properties.status.enum }, message: "must be equal to one of the allowed values" }];
              return false;
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.metadata !== void 0) {
              let data3 = data.metadata;
              const _errs7 = errors;
              if (errors === _errs7) {
                if (!(data3 && typeof data3 == "object" && !Array.isArray(data3))) {
                  validate77.errors = [{ instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
                  return false;
                }
              }
              var valid0 = _errs7 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.sort_by !== void 0) {
                let data4 = data.sort_by;
                const _errs10 = errors;
                if (typeof data4 !== "string") {
                  validate77.errors = [{ instancePath: instancePath + "/sort_by", schemaPath: "#/properties/sort_by/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                  return false;
                }
                if (!(data4 === "thread_id" || data4 === "status" || data4 === "created_at" || data4 === "updated_at" || data4 === "state_updated_at")) {
                  validate77.errors = [{ instancePath: instancePath + "/sort_by", schemaPath: "#/properties/sort_by/enum", keyword: "enum", params: { allowedValues: schema80.properties.sort_by.enum }, message: "must be equal to one of the allowed values" }];
                  return false;
                }
                var valid0 = _errs10 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.sort_order !== void 0) {
                  let data5 = data.sort_order;
                  const _errs12 = errors;
                  if (typeof data5 !== "string") {
                    validate77.errors = [{ instancePath: instancePath + "/sort_order", schemaPath: "#/properties/sort_order/type", keyword: "type", params: { type: "string" }, message: "must be string" }];
                    return false;
                  }
                  if (!(data5 === "asc" || data5 === "desc")) {
                    validate77.errors = [{ instancePath: instancePath + "/sort_order", schemaPath: "#/properties/sort_order/enum", keyword: "enum", params: { allowedValues: schema80.properties.sort_order.enum }, message: "must be equal to one of the allowed values" }];
                    return false;
                  }
                  var valid0 = _errs12 === errors;
                } else {
                  var valid0 = true;
                }
              }
            }
          }
        }
      }
    } else {
      validate77.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate77.errors = vErrors;
  return errors === 0;
}
var ThreadPatch = validate78;
var schema81 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "threads/thread-patch", "title": "ThreadPatch", "description": "Metadata to merge into a thread's.", "type": "object", "properties": { "metadata": { "type": ["object", "null"], "additionalProperties": true } }, "additionalProperties": true };
function validate78(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.metadata !== void 0) {
        let data0 = data.metadata;
        if (!(data0 && typeof data0 == "object" && !Array.isArray(data0)) && data0 !== null) {
          validate78.errors = [{ instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: schema81.properties.metadata.type }, message: "must be object,null" }];
          return false;
        }
      }
    } else {
      validate78.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate78.errors = vErrors;
  return errors === 0;
}
var ThreadSearch = validate79;
var schema82 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "threads/thread-search", "title": "ThreadSearch", "description": "Which threads, and in what order.", "type": "object", "properties": { "ids": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string", "format": "uuid" }, "maxItems": 1e3 }] }, "metadata": { "type": ["object", "null"], "additionalProperties": true, "description": "Contained in the thread's metadata." }, "values": { "type": ["object", "null"], "additionalProperties": true, "description": "Contained in the thread's latest values." }, "status": { "enum": ["idle", "busy", "interrupted", "error", null] }, "limit": { "type": ["integer", "null"], "minimum": 1, "maximum": 1e3 }, "offset": { "type": ["integer", "null"], "minimum": 0, "maximum": 1e6 }, "sort_by": { "enum": ["thread_id", "status", "created_at", "updated_at", "state_updated_at", null], "description": "Default updated_at." }, "sort_order": { "enum": ["asc", "desc", null], "description": "Default desc." }, "select": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string", "enum": ["thread_id", "created_at", "updated_at", "state_updated_at", "metadata", "config", "status", "values", "interrupts"] } }] } }, "additionalProperties": true };
function validate79(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.ids !== void 0) {
        let data0 = data.ids;
        const _errs2 = errors;
        const _errs3 = errors;
        let valid1 = false;
        const _errs4 = errors;
        if (data0 !== null) {
          const err0 = { instancePath: instancePath + "/ids", schemaPath: "#/properties/ids/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
          if (vErrors === null) {
            vErrors = [err0];
          } else {
            vErrors.push(err0);
          }
          errors++;
        }
        var _valid0 = _errs4 === errors;
        valid1 = valid1 || _valid0;
        if (!valid1) {
          const _errs6 = errors;
          if (errors === _errs6) {
            if (Array.isArray(data0)) {
              if (data0.length > 1e3) {
                const err1 = { instancePath: instancePath + "/ids", schemaPath: "#/properties/ids/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
                if (vErrors === null) {
                  vErrors = [err1];
                } else {
                  vErrors.push(err1);
                }
                errors++;
              } else {
                var valid2 = true;
                const len0 = data0.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  let data1 = data0[i0];
                  const _errs8 = errors;
                  if (errors === _errs8) {
                    if (errors === _errs8) {
                      if (typeof data1 === "string") {
                        if (!formats0.test(data1)) {
                          const err2 = { instancePath: instancePath + "/ids/" + i0, schemaPath: "#/properties/ids/anyOf/1/items/format", keyword: "format", params: { format: "uuid" }, message: 'must match format "uuid"' };
                          if (vErrors === null) {
                            vErrors = [err2];
                          } else {
                            vErrors.push(err2);
                          }
                          errors++;
                        }
                      } else {
                        const err3 = { instancePath: instancePath + "/ids/" + i0, schemaPath: "#/properties/ids/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        if (vErrors === null) {
                          vErrors = [err3];
                        } else {
                          vErrors.push(err3);
                        }
                        errors++;
                      }
                    }
                  }
                  var valid2 = _errs8 === errors;
                  if (!valid2) {
                    break;
                  }
                }
              }
            } else {
              const err4 = { instancePath: instancePath + "/ids", schemaPath: "#/properties/ids/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          }
          var _valid0 = _errs6 === errors;
          valid1 = valid1 || _valid0;
        }
        if (!valid1) {
          const err5 = { instancePath: instancePath + "/ids", schemaPath: "#/properties/ids/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
          validate79.errors = vErrors;
          return false;
        } else {
          errors = _errs3;
          if (vErrors !== null) {
            if (_errs3) {
              vErrors.length = _errs3;
            } else {
              vErrors = null;
            }
          }
        }
        var valid0 = _errs2 === errors;
      } else {
        var valid0 = true;
      }
      if (valid0) {
        if (data.metadata !== void 0) {
          let data2 = data.metadata;
          const _errs10 = errors;
          if (!(data2 && typeof data2 == "object" && !Array.isArray(data2)) && data2 !== null) {
            validate79.errors = [{ instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: schema82.properties.metadata.type }, message: "must be object,null" }];
            return false;
          }
          var valid0 = _errs10 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.values !== void 0) {
            let data3 = data.values;
            const _errs13 = errors;
            if (!(data3 && typeof data3 == "object" && !Array.isArray(data3)) && data3 !== null) {
              validate79.errors = [{ instancePath: instancePath + "/values", schemaPath: "#/properties/values/type", keyword: "type", params: { type: schema82.properties.values.type }, message: "must be object,null" }];
              return false;
            }
            var valid0 = _errs13 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.status !== void 0) {
              let data4 = data.status;
              const _errs16 = errors;
              if (!(data4 === "idle" || data4 === "busy" || data4 === "interrupted" || data4 === "error" || data4 === null)) {
                validate79.errors = [{ instancePath: instancePath + "/status", schemaPath: "#/properties/status/enum", keyword: "enum", params: { allowedValues: schema82.properties.status.enum }, message: "must be equal to one of the allowed values" }];
                return false;
              }
              var valid0 = _errs16 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.limit !== void 0) {
                let data5 = data.limit;
                const _errs17 = errors;
                if (!(typeof data5 == "number" && (!(data5 % 1) && !isNaN(data5)) && isFinite(data5)) && data5 !== null) {
                  validate79.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/type", keyword: "type", params: { type: schema82.properties.limit.type }, message: "must be integer,null" }];
                  return false;
                }
                if (errors === _errs17) {
                  if (typeof data5 == "number" && isFinite(data5)) {
                    if (data5 > 1e3 || isNaN(data5)) {
                      validate79.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" }];
                      return false;
                    } else {
                      if (data5 < 1 || isNaN(data5)) {
                        validate79.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" }];
                        return false;
                      }
                    }
                  }
                }
                var valid0 = _errs17 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.offset !== void 0) {
                  let data6 = data.offset;
                  const _errs19 = errors;
                  if (!(typeof data6 == "number" && (!(data6 % 1) && !isNaN(data6)) && isFinite(data6)) && data6 !== null) {
                    validate79.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/type", keyword: "type", params: { type: schema82.properties.offset.type }, message: "must be integer,null" }];
                    return false;
                  }
                  if (errors === _errs19) {
                    if (typeof data6 == "number" && isFinite(data6)) {
                      if (data6 > 1e6 || isNaN(data6)) {
                        validate79.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" }];
                        return false;
                      } else {
                        if (data6 < 0 || isNaN(data6)) {
                          validate79.errors = [{ instancePath: instancePath + "/offset", schemaPath: "#/properties/offset/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }];
                          return false;
                        }
                      }
                    }
                  }
                  var valid0 = _errs19 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.sort_by !== void 0) {
                    let data7 = data.sort_by;
                    const _errs21 = errors;
                    if (!(data7 === "thread_id" || data7 === "status" || data7 === "created_at" || data7 === "updated_at" || data7 === "state_updated_at" || data7 === null)) {
                      validate79.errors = [{ instancePath: instancePath + "/sort_by", schemaPath: "#/properties/sort_by/enum", keyword: "enum", params: { allowedValues: schema82.properties.sort_by.enum }, message: "must be equal to one of the allowed values" }];
                      return false;
                    }
                    var valid0 = _errs21 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.sort_order !== void 0) {
                      let data8 = data.sort_order;
                      const _errs22 = errors;
                      if (!(data8 === "asc" || data8 === "desc" || data8 === null)) {
                        validate79.errors = [{ instancePath: instancePath + "/sort_order", schemaPath: "#/properties/sort_order/enum", keyword: "enum", params: { allowedValues: schema82.properties.sort_order.enum }, message: "must be equal to one of the allowed values" }];
                        return false;
                      }
                      var valid0 = _errs22 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.select !== void 0) {
                        let data9 = data.select;
                        const _errs23 = errors;
                        const _errs24 = errors;
                        let valid3 = false;
                        const _errs25 = errors;
                        if (data9 !== null) {
                          const err6 = { instancePath: instancePath + "/select", schemaPath: "#/properties/select/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                          if (vErrors === null) {
                            vErrors = [err6];
                          } else {
                            vErrors.push(err6);
                          }
                          errors++;
                        }
                        var _valid1 = _errs25 === errors;
                        valid3 = valid3 || _valid1;
                        if (!valid3) {
                          const _errs27 = errors;
                          if (errors === _errs27) {
                            if (Array.isArray(data9)) {
                              var valid4 = true;
                              const len1 = data9.length;
                              for (let i1 = 0; i1 < len1; i1++) {
                                let data10 = data9[i1];
                                const _errs29 = errors;
                                if (typeof data10 !== "string") {
                                  const err7 = { instancePath: instancePath + "/select/" + i1, schemaPath: "#/properties/select/anyOf/1/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                  if (vErrors === null) {
                                    vErrors = [err7];
                                  } else {
                                    vErrors.push(err7);
                                  }
                                  errors++;
                                }
                                if (!(data10 === "thread_id" || data10 === "created_at" || data10 === "updated_at" || data10 === "state_updated_at" || data10 === "metadata" || data10 === "config" || data10 === "status" || data10 === "values" || data10 === "interrupts")) {
                                  const err8 = { instancePath: instancePath + "/select/" + i1, schemaPath: "#/properties/select/anyOf/1/items/enum", keyword: "enum", params: { allowedValues: schema82.properties.select.anyOf[1].items.enum }, message: "must be equal to one of the allowed values" };
                                  if (vErrors === null) {
                                    vErrors = [err8];
                                  } else {
                                    vErrors.push(err8);
                                  }
                                  errors++;
                                }
                                var valid4 = _errs29 === errors;
                                if (!valid4) {
                                  break;
                                }
                              }
                            } else {
                              const err9 = { instancePath: instancePath + "/select", schemaPath: "#/properties/select/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                              if (vErrors === null) {
                                vErrors = [err9];
                              } else {
                                vErrors.push(err9);
                              }
                              errors++;
                            }
                          }
                          var _valid1 = _errs27 === errors;
                          valid3 = valid3 || _valid1;
                        }
                        if (!valid3) {
                          const err10 = { instancePath: instancePath + "/select", schemaPath: "#/properties/select/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                          if (vErrors === null) {
                            vErrors = [err10];
                          } else {
                            vErrors.push(err10);
                          }
                          errors++;
                          validate79.errors = vErrors;
                          return false;
                        } else {
                          errors = _errs24;
                          if (vErrors !== null) {
                            if (_errs24) {
                              vErrors.length = _errs24;
                            } else {
                              vErrors = null;
                            }
                          }
                        }
                        var valid0 = _errs23 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate79.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }];
      return false;
    }
  }
  validate79.errors = vErrors;
  return errors === 0;
}

// compiled:all
var UploadExperiment = validate102;
var schema112 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "datasets/upload-experiment", "title": "UploadExperiment", "description": "An experiment that was run elsewhere. Keys that are not listed are ignored.", "type": "object", "properties": { "experiment_name": { "type": "string", "description": "Unique over all experiments and projects.", "minLength": 1 }, "experiment_description": { "type": ["string", "null"] }, "experiment_start_time": { "type": "string", "description": "ISO 8601, with an offset or as UTC, kept to the microsecond." }, "experiment_end_time": { "type": "string", "description": "ISO 8601, with an offset or as UTC, kept to the microsecond. Not before the start." }, "dataset_id": { "type": ["string", "null"], "description": "UUID. This or dataset_name is required." }, "dataset_name": { "type": ["string", "null"], "minLength": 1 }, "dataset_description": { "type": ["string", "null"], "description": "Used when the dataset is made." }, "experiment_metadata": { "type": ["object", "null"], "additionalProperties": true }, "summary_experiment_scores": { "type": ["array", "null"], "description": "Scores of the experiment as a whole: UploadedFeedback." }, "results": { "type": "array", "description": "Rows: UploadedRow." } }, "required": ["experiment_name", "experiment_start_time", "experiment_end_time", "results"], "$comment": "all errors" };
var func22 = require_ucs2length().default;
function validate102(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.experiment_name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "experiment_name" }, message: "must have required property 'experiment_name'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.experiment_start_time === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "experiment_start_time" }, message: "must have required property 'experiment_start_time'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.experiment_end_time === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "experiment_end_time" }, message: "must have required property 'experiment_end_time'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.results === void 0) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "results" }, message: "must have required property 'results'" };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    if (data.experiment_name !== void 0) {
      let data0 = data.experiment_name;
      if (typeof data0 === "string") {
        if (func22(data0) < 1) {
          const err4 = { instancePath: instancePath + "/experiment_name", schemaPath: "#/properties/experiment_name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
      } else {
        const err5 = { instancePath: instancePath + "/experiment_name", schemaPath: "#/properties/experiment_name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
    if (data.experiment_description !== void 0) {
      let data1 = data.experiment_description;
      if (typeof data1 !== "string" && data1 !== null) {
        const err6 = { instancePath: instancePath + "/experiment_description", schemaPath: "#/properties/experiment_description/type", keyword: "type", params: { type: schema112.properties.experiment_description.type }, message: "must be string,null" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.experiment_start_time !== void 0) {
      if (typeof data.experiment_start_time !== "string") {
        const err7 = { instancePath: instancePath + "/experiment_start_time", schemaPath: "#/properties/experiment_start_time/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.experiment_end_time !== void 0) {
      if (typeof data.experiment_end_time !== "string") {
        const err8 = { instancePath: instancePath + "/experiment_end_time", schemaPath: "#/properties/experiment_end_time/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.dataset_id !== void 0) {
      let data4 = data.dataset_id;
      if (typeof data4 !== "string" && data4 !== null) {
        const err9 = { instancePath: instancePath + "/dataset_id", schemaPath: "#/properties/dataset_id/type", keyword: "type", params: { type: schema112.properties.dataset_id.type }, message: "must be string,null" };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.dataset_name !== void 0) {
      let data5 = data.dataset_name;
      if (typeof data5 !== "string" && data5 !== null) {
        const err10 = { instancePath: instancePath + "/dataset_name", schemaPath: "#/properties/dataset_name/type", keyword: "type", params: { type: schema112.properties.dataset_name.type }, message: "must be string,null" };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
      if (typeof data5 === "string") {
        if (func22(data5) < 1) {
          const err11 = { instancePath: instancePath + "/dataset_name", schemaPath: "#/properties/dataset_name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          if (vErrors === null) {
            vErrors = [err11];
          } else {
            vErrors.push(err11);
          }
          errors++;
        }
      }
    }
    if (data.dataset_description !== void 0) {
      let data6 = data.dataset_description;
      if (typeof data6 !== "string" && data6 !== null) {
        const err12 = { instancePath: instancePath + "/dataset_description", schemaPath: "#/properties/dataset_description/type", keyword: "type", params: { type: schema112.properties.dataset_description.type }, message: "must be string,null" };
        if (vErrors === null) {
          vErrors = [err12];
        } else {
          vErrors.push(err12);
        }
        errors++;
      }
    }
    if (data.experiment_metadata !== void 0) {
      let data7 = data.experiment_metadata;
      if (!(data7 && typeof data7 == "object" && !Array.isArray(data7)) && data7 !== null) {
        const err13 = { instancePath: instancePath + "/experiment_metadata", schemaPath: "#/properties/experiment_metadata/type", keyword: "type", params: { type: schema112.properties.experiment_metadata.type }, message: "must be object,null" };
        if (vErrors === null) {
          vErrors = [err13];
        } else {
          vErrors.push(err13);
        }
        errors++;
      }
    }
    if (data.summary_experiment_scores !== void 0) {
      let data8 = data.summary_experiment_scores;
      if (!Array.isArray(data8) && data8 !== null) {
        const err14 = { instancePath: instancePath + "/summary_experiment_scores", schemaPath: "#/properties/summary_experiment_scores/type", keyword: "type", params: { type: schema112.properties.summary_experiment_scores.type }, message: "must be array,null" };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
    }
    if (data.results !== void 0) {
      if (!Array.isArray(data.results)) {
        const err15 = { instancePath: instancePath + "/results", schemaPath: "#/properties/results/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
  } else {
    const err16 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err16];
    } else {
      vErrors.push(err16);
    }
    errors++;
  }
  validate102.errors = vErrors;
  return errors === 0;
}
var UploadedRow = validate112;
var schema12 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "datasets/uploaded-row", "title": "UploadedRow", "description": "One example of the dataset and one run of the experiment.", "type": "object", "properties": { "row_id": { "type": "string", "description": "UUID. Names the example in its dataset: the same row of a later upload is the same example." }, "inputs": { "type": "object", "additionalProperties": true }, "expected_outputs": { "type": ["object", "null"], "additionalProperties": true }, "actual_outputs": { "type": ["object", "null"], "additionalProperties": true }, "evaluation_scores": { "type": ["array", "null"], "description": "Scores of the run: UploadedFeedback." }, "start_time": { "type": "string", "description": "ISO 8601, with an offset or as UTC, kept to the microsecond. Inside the experiment's times." }, "end_time": { "type": "string", "description": "ISO 8601, with an offset or as UTC, kept to the microsecond. Inside the experiment's times, not before the start." }, "run_name": { "type": ["string", "null"] }, "error": { "type": ["string", "null"] }, "run_metadata": { "type": ["object", "null"], "additionalProperties": true } }, "required": ["row_id", "inputs", "start_time", "end_time"], "$comment": "all errors" };
function validate112(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.row_id === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "row_id" }, message: "must have required property 'row_id'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.inputs === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "inputs" }, message: "must have required property 'inputs'" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.start_time === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "start_time" }, message: "must have required property 'start_time'" };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.end_time === void 0) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "end_time" }, message: "must have required property 'end_time'" };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    if (data.row_id !== void 0) {
      if (typeof data.row_id !== "string") {
        const err4 = { instancePath: instancePath + "/row_id", schemaPath: "#/properties/row_id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.inputs !== void 0) {
      let data1 = data.inputs;
      if (!(data1 && typeof data1 == "object" && !Array.isArray(data1))) {
        const err5 = { instancePath: instancePath + "/inputs", schemaPath: "#/properties/inputs/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
    if (data.expected_outputs !== void 0) {
      let data2 = data.expected_outputs;
      if (!(data2 && typeof data2 == "object" && !Array.isArray(data2)) && data2 !== null) {
        const err6 = { instancePath: instancePath + "/expected_outputs", schemaPath: "#/properties/expected_outputs/type", keyword: "type", params: { type: schema12.properties.expected_outputs.type }, message: "must be object,null" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.actual_outputs !== void 0) {
      let data3 = data.actual_outputs;
      if (!(data3 && typeof data3 == "object" && !Array.isArray(data3)) && data3 !== null) {
        const err7 = { instancePath: instancePath + "/actual_outputs", schemaPath: "#/properties/actual_outputs/type", keyword: "type", params: { type: schema12.properties.actual_outputs.type }, message: "must be object,null" };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.evaluation_scores !== void 0) {
      let data4 = data.evaluation_scores;
      if (!Array.isArray(data4) && data4 !== null) {
        const err8 = { instancePath: instancePath + "/evaluation_scores", schemaPath: "#/properties/evaluation_scores/type", keyword: "type", params: { type: schema12.properties.evaluation_scores.type }, message: "must be array,null" };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.start_time !== void 0) {
      if (typeof data.start_time !== "string") {
        const err9 = { instancePath: instancePath + "/start_time", schemaPath: "#/properties/start_time/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.end_time !== void 0) {
      if (typeof data.end_time !== "string") {
        const err10 = { instancePath: instancePath + "/end_time", schemaPath: "#/properties/end_time/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
    }
    if (data.run_name !== void 0) {
      let data7 = data.run_name;
      if (typeof data7 !== "string" && data7 !== null) {
        const err11 = { instancePath: instancePath + "/run_name", schemaPath: "#/properties/run_name/type", keyword: "type", params: { type: schema12.properties.run_name.type }, message: "must be string,null" };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
    if (data.error !== void 0) {
      let data8 = data.error;
      if (typeof data8 !== "string" && data8 !== null) {
        const err12 = { instancePath: instancePath + "/error", schemaPath: "#/properties/error/type", keyword: "type", params: { type: schema12.properties.error.type }, message: "must be string,null" };
        if (vErrors === null) {
          vErrors = [err12];
        } else {
          vErrors.push(err12);
        }
        errors++;
      }
    }
    if (data.run_metadata !== void 0) {
      let data9 = data.run_metadata;
      if (!(data9 && typeof data9 == "object" && !Array.isArray(data9)) && data9 !== null) {
        const err13 = { instancePath: instancePath + "/run_metadata", schemaPath: "#/properties/run_metadata/type", keyword: "type", params: { type: schema12.properties.run_metadata.type }, message: "must be object,null" };
        if (vErrors === null) {
          vErrors = [err13];
        } else {
          vErrors.push(err13);
        }
        errors++;
      }
    }
  } else {
    const err14 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err14];
    } else {
      vErrors.push(err14);
    }
    errors++;
  }
  validate112.errors = vErrors;
  return errors === 0;
}
var UploadedFeedback = validate122;
var schema13 = { "$schema": "http://json-schema.org/draft-07/schema#", "$id": "feedback/uploaded-feedback", "title": "UploadedFeedback", "description": "A score that comes with an upload.", "type": "object", "properties": { "key": { "type": "string", "minLength": 1, "maxLength": 180 }, "score": { "type": ["number", "boolean", "null"] }, "value": { "type": ["number", "boolean", "string", "object", "null"], "additionalProperties": true }, "comment": { "type": ["string", "null"] }, "correction": { "type": ["object", "string", "null"], "additionalProperties": true }, "feedback_source": { "anyOf": [{ "type": "null" }, { "type": "object", "properties": { "type": { "type": "string" }, "metadata": { "type": ["object", "null"], "additionalProperties": true } }, "required": ["type"], "additionalProperties": true }] }, "feedback_config": { "anyOf": [{ "type": "null" }, { "type": "object", "properties": { "type": { "enum": ["continuous", "categorical", "freeform", null] }, "min": { "type": ["number", "null"] }, "max": { "type": ["number", "null"] }, "categories": { "anyOf": [{ "type": "null" }, { "type": "array", "maxItems": 1e3, "items": { "type": "object", "properties": { "value": { "type": "number" }, "label": { "type": ["string", "null"] } }, "required": ["value"], "additionalProperties": true } }] } }, "additionalProperties": true }] }, "id": { "type": ["string", "null"], "description": "UUID." }, "created_at": { "type": ["string", "null"], "description": "ISO 8601, with an offset or as UTC, kept to the microsecond." }, "modified_at": { "type": ["string", "null"], "description": "ISO 8601, with an offset or as UTC, kept to the microsecond." }, "feedback_group_id": { "type": ["string", "null"] }, "comparative_experiment_id": { "type": ["string", "null"] }, "extra": { "type": ["object", "null"], "additionalProperties": true } }, "required": ["key"], "$comment": "all errors" };
function validate122(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.key === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "key" }, message: "must have required property 'key'" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.key !== void 0) {
      let data0 = data.key;
      if (typeof data0 === "string") {
        if (func22(data0) > 180) {
          const err1 = { instancePath: instancePath + "/key", schemaPath: "#/properties/key/maxLength", keyword: "maxLength", params: { limit: 180 }, message: "must NOT have more than 180 characters" };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
        if (func22(data0) < 1) {
          const err2 = { instancePath: instancePath + "/key", schemaPath: "#/properties/key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
      } else {
        const err3 = { instancePath: instancePath + "/key", schemaPath: "#/properties/key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.score !== void 0) {
      let data1 = data.score;
      if (!(typeof data1 == "number" && isFinite(data1)) && typeof data1 !== "boolean" && data1 !== null) {
        const err4 = { instancePath: instancePath + "/score", schemaPath: "#/properties/score/type", keyword: "type", params: { type: schema13.properties.score.type }, message: "must be number,boolean,null" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.value !== void 0) {
      let data2 = data.value;
      if (!(typeof data2 == "number" && isFinite(data2)) && typeof data2 !== "boolean" && typeof data2 !== "string" && !(data2 && typeof data2 == "object" && !Array.isArray(data2)) && data2 !== null) {
        const err5 = { instancePath: instancePath + "/value", schemaPath: "#/properties/value/type", keyword: "type", params: { type: schema13.properties.value.type }, message: "must be number,boolean,string,object,null" };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
    if (data.comment !== void 0) {
      let data3 = data.comment;
      if (typeof data3 !== "string" && data3 !== null) {
        const err6 = { instancePath: instancePath + "/comment", schemaPath: "#/properties/comment/type", keyword: "type", params: { type: schema13.properties.comment.type }, message: "must be string,null" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.correction !== void 0) {
      let data4 = data.correction;
      if (!(data4 && typeof data4 == "object" && !Array.isArray(data4)) && typeof data4 !== "string" && data4 !== null) {
        const err7 = { instancePath: instancePath + "/correction", schemaPath: "#/properties/correction/type", keyword: "type", params: { type: schema13.properties.correction.type }, message: "must be object,string,null" };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.feedback_source !== void 0) {
      let data5 = data.feedback_source;
      const _errs15 = errors;
      let valid1 = false;
      const _errs16 = errors;
      if (data5 !== null) {
        const err8 = { instancePath: instancePath + "/feedback_source", schemaPath: "#/properties/feedback_source/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
      var _valid0 = _errs16 === errors;
      valid1 = valid1 || _valid0;
      if (!valid1) {
        const _errs18 = errors;
        if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
          if (data5.type === void 0) {
            const err9 = { instancePath: instancePath + "/feedback_source", schemaPath: "#/properties/feedback_source/anyOf/1/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (data5.type !== void 0) {
            if (typeof data5.type !== "string") {
              const err10 = { instancePath: instancePath + "/feedback_source/type", schemaPath: "#/properties/feedback_source/anyOf/1/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
          }
          if (data5.metadata !== void 0) {
            let data7 = data5.metadata;
            if (!(data7 && typeof data7 == "object" && !Array.isArray(data7)) && data7 !== null) {
              const err11 = { instancePath: instancePath + "/feedback_source/metadata", schemaPath: "#/properties/feedback_source/anyOf/1/properties/metadata/type", keyword: "type", params: { type: schema13.properties.feedback_source.anyOf[1].properties.metadata.type }, message: "must be object,null" };
              if (vErrors === null) {
                vErrors = [err11];
              } else {
                vErrors.push(err11);
              }
              errors++;
            }
          }
        } else {
          const err12 = { instancePath: instancePath + "/feedback_source", schemaPath: "#/properties/feedback_source/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
          if (vErrors === null) {
            vErrors = [err12];
          } else {
            vErrors.push(err12);
          }
          errors++;
        }
        var _valid0 = _errs18 === errors;
        valid1 = valid1 || _valid0;
      }
      if (!valid1) {
        const err13 = { instancePath: instancePath + "/feedback_source", schemaPath: "#/properties/feedback_source/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
        if (vErrors === null) {
          vErrors = [err13];
        } else {
          vErrors.push(err13);
        }
        errors++;
      } else {
        errors = _errs15;
        if (vErrors !== null) {
          if (_errs15) {
            vErrors.length = _errs15;
          } else {
            vErrors = null;
          }
        }
      }
    }
    if (data.feedback_config !== void 0) {
      let data8 = data.feedback_config;
      const _errs27 = errors;
      let valid3 = false;
      const _errs28 = errors;
      if (data8 !== null) {
        const err14 = { instancePath: instancePath + "/feedback_config", schemaPath: "#/properties/feedback_config/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
      var _valid1 = _errs28 === errors;
      valid3 = valid3 || _valid1;
      if (!valid3) {
        const _errs30 = errors;
        if (data8 && typeof data8 == "object" && !Array.isArray(data8)) {
          if (data8.type !== void 0) {
            let data9 = data8.type;
            if (!(data9 === "continuous" || data9 === "categorical" || data9 === "freeform" || data9 === null)) {
              const err15 = { instancePath: instancePath + "/feedback_config/type", schemaPath: "#/properties/feedback_config/anyOf/1/properties/type/enum", keyword: "enum", params: { allowedValues: schema13.properties.feedback_config.anyOf[1].properties.type.enum }, message: "must be equal to one of the allowed values" };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
          }
          if (data8.min !== void 0) {
            let data10 = data8.min;
            if (!(typeof data10 == "number" && isFinite(data10)) && data10 !== null) {
              const err16 = { instancePath: instancePath + "/feedback_config/min", schemaPath: "#/properties/feedback_config/anyOf/1/properties/min/type", keyword: "type", params: { type: schema13.properties.feedback_config.anyOf[1].properties.min.type }, message: "must be number,null" };
              if (vErrors === null) {
                vErrors = [err16];
              } else {
                vErrors.push(err16);
              }
              errors++;
            }
          }
          if (data8.max !== void 0) {
            let data11 = data8.max;
            if (!(typeof data11 == "number" && isFinite(data11)) && data11 !== null) {
              const err17 = { instancePath: instancePath + "/feedback_config/max", schemaPath: "#/properties/feedback_config/anyOf/1/properties/max/type", keyword: "type", params: { type: schema13.properties.feedback_config.anyOf[1].properties.max.type }, message: "must be number,null" };
              if (vErrors === null) {
                vErrors = [err17];
              } else {
                vErrors.push(err17);
              }
              errors++;
            }
          }
          if (data8.categories !== void 0) {
            let data12 = data8.categories;
            const _errs39 = errors;
            let valid5 = false;
            const _errs40 = errors;
            if (data12 !== null) {
              const err18 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
              if (vErrors === null) {
                vErrors = [err18];
              } else {
                vErrors.push(err18);
              }
              errors++;
            }
            var _valid2 = _errs40 === errors;
            valid5 = valid5 || _valid2;
            if (!valid5) {
              const _errs42 = errors;
              if (Array.isArray(data12)) {
                if (data12.length > 1e3) {
                  const err19 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
                  if (vErrors === null) {
                    vErrors = [err19];
                  } else {
                    vErrors.push(err19);
                  }
                  errors++;
                }
                const len0 = data12.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  let data13 = data12[i0];
                  if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
                    if (data13.value === void 0) {
                      const err20 = { instancePath: instancePath + "/feedback_config/categories/" + i0, schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/required", keyword: "required", params: { missingProperty: "value" }, message: "must have required property 'value'" };
                      if (vErrors === null) {
                        vErrors = [err20];
                      } else {
                        vErrors.push(err20);
                      }
                      errors++;
                    }
                    if (data13.value !== void 0) {
                      let data14 = data13.value;
                      if (!(typeof data14 == "number" && isFinite(data14))) {
                        const err21 = { instancePath: instancePath + "/feedback_config/categories/" + i0 + "/value", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/properties/value/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                        if (vErrors === null) {
                          vErrors = [err21];
                        } else {
                          vErrors.push(err21);
                        }
                        errors++;
                      }
                    }
                    if (data13.label !== void 0) {
                      let data15 = data13.label;
                      if (typeof data15 !== "string" && data15 !== null) {
                        const err22 = { instancePath: instancePath + "/feedback_config/categories/" + i0 + "/label", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/properties/label/type", keyword: "type", params: { type: schema13.properties.feedback_config.anyOf[1].properties.categories.anyOf[1].items.properties.label.type }, message: "must be string,null" };
                        if (vErrors === null) {
                          vErrors = [err22];
                        } else {
                          vErrors.push(err22);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err23 = { instancePath: instancePath + "/feedback_config/categories/" + i0, schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    if (vErrors === null) {
                      vErrors = [err23];
                    } else {
                      vErrors.push(err23);
                    }
                    errors++;
                  }
                }
              } else {
                const err24 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf/1/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                if (vErrors === null) {
                  vErrors = [err24];
                } else {
                  vErrors.push(err24);
                }
                errors++;
              }
              var _valid2 = _errs42 === errors;
              valid5 = valid5 || _valid2;
            }
            if (!valid5) {
              const err25 = { instancePath: instancePath + "/feedback_config/categories", schemaPath: "#/properties/feedback_config/anyOf/1/properties/categories/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            } else {
              errors = _errs39;
              if (vErrors !== null) {
                if (_errs39) {
                  vErrors.length = _errs39;
                } else {
                  vErrors = null;
                }
              }
            }
          }
        } else {
          const err26 = { instancePath: instancePath + "/feedback_config", schemaPath: "#/properties/feedback_config/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
          if (vErrors === null) {
            vErrors = [err26];
          } else {
            vErrors.push(err26);
          }
          errors++;
        }
        var _valid1 = _errs30 === errors;
        valid3 = valid3 || _valid1;
      }
      if (!valid3) {
        const err27 = { instancePath: instancePath + "/feedback_config", schemaPath: "#/properties/feedback_config/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      } else {
        errors = _errs27;
        if (vErrors !== null) {
          if (_errs27) {
            vErrors.length = _errs27;
          } else {
            vErrors = null;
          }
        }
      }
    }
    if (data.id !== void 0) {
      let data16 = data.id;
      if (typeof data16 !== "string" && data16 !== null) {
        const err28 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: schema13.properties.id.type }, message: "must be string,null" };
        if (vErrors === null) {
          vErrors = [err28];
        } else {
          vErrors.push(err28);
        }
        errors++;
      }
    }
    if (data.created_at !== void 0) {
      let data17 = data.created_at;
      if (typeof data17 !== "string" && data17 !== null) {
        const err29 = { instancePath: instancePath + "/created_at", schemaPath: "#/properties/created_at/type", keyword: "type", params: { type: schema13.properties.created_at.type }, message: "must be string,null" };
        if (vErrors === null) {
          vErrors = [err29];
        } else {
          vErrors.push(err29);
        }
        errors++;
      }
    }
    if (data.modified_at !== void 0) {
      let data18 = data.modified_at;
      if (typeof data18 !== "string" && data18 !== null) {
        const err30 = { instancePath: instancePath + "/modified_at", schemaPath: "#/properties/modified_at/type", keyword: "type", params: { type: schema13.properties.modified_at.type }, message: "must be string,null" };
        if (vErrors === null) {
          vErrors = [err30];
        } else {
          vErrors.push(err30);
        }
        errors++;
      }
    }
    if (data.feedback_group_id !== void 0) {
      let data19 = data.feedback_group_id;
      if (typeof data19 !== "string" && data19 !== null) {
        const err31 = { instancePath: instancePath + "/feedback_group_id", schemaPath: "#/properties/feedback_group_id/type", keyword: "type", params: { type: schema13.properties.feedback_group_id.type }, message: "must be string,null" };
        if (vErrors === null) {
          vErrors = [err31];
        } else {
          vErrors.push(err31);
        }
        errors++;
      }
    }
    if (data.comparative_experiment_id !== void 0) {
      let data20 = data.comparative_experiment_id;
      if (typeof data20 !== "string" && data20 !== null) {
        const err32 = { instancePath: instancePath + "/comparative_experiment_id", schemaPath: "#/properties/comparative_experiment_id/type", keyword: "type", params: { type: schema13.properties.comparative_experiment_id.type }, message: "must be string,null" };
        if (vErrors === null) {
          vErrors = [err32];
        } else {
          vErrors.push(err32);
        }
        errors++;
      }
    }
    if (data.extra !== void 0) {
      let data21 = data.extra;
      if (!(data21 && typeof data21 == "object" && !Array.isArray(data21)) && data21 !== null) {
        const err33 = { instancePath: instancePath + "/extra", schemaPath: "#/properties/extra/type", keyword: "type", params: { type: schema13.properties.extra.type }, message: "must be object,null" };
        if (vErrors === null) {
          vErrors = [err33];
        } else {
          vErrors.push(err33);
        }
        errors++;
      }
    }
  } else {
    const err34 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err34];
    } else {
      vErrors.push(err34);
    }
    errors++;
  }
  validate122.errors = vErrors;
  return errors === 0;
}
export {
  AssistantParams,
  AssistantSearch,
  CheckpointParams,
  ComparativeCreate,
  ComparativeListQuery,
  ComparativeParams,
  ComparisonQuery,
  DatasetClone,
  DatasetCreate,
  DatasetDiffQuery,
  DatasetExportQuery,
  DatasetFileQuery,
  DatasetListQuery,
  DatasetParams,
  DatasetPatch,
  DatasetSplitsPut,
  DatasetSplitsQuery,
  DatasetTagPut,
  DatasetVersionQuery,
  DatasetVersionsQuery,
  EvaluationRunParams,
  ExampleCountQuery,
  ExampleDeleteQuery,
  ExampleHardDelete,
  ExampleListQuery,
  ExampleMetadataPatch,
  ExampleParams,
  ExampleQuery,
  ExampleRunsQuery,
  ExampleWrite,
  FeedbackConfigCreate,
  FeedbackConfigDeleteQuery,
  FeedbackConfigListQuery,
  FeedbackConfigPatch,
  FeedbackCreate,
  FeedbackListQuery,
  FeedbackParams,
  FeedbackPatch,
  HistoryListQuery,
  HistoryQuery,
  ItemDelete,
  ItemParams,
  ItemPut,
  ItemSearch,
  NamespaceList,
  RunCancelQuery,
  RunCreate,
  RunIngest,
  RunJoinQuery,
  RunListQuery,
  RunParams,
  RunQuery,
  RunStatsQuery,
  RunsDeltaQuery,
  SessionCreate,
  SessionCreateQuery,
  SessionDeleteQuery,
  SessionExportQuery,
  SessionListQuery,
  SessionMetadataQuery,
  SessionParams,
  SessionPatch,
  SessionQuery,
  StateAtCheckpoint,
  StateQuery,
  ThreadCreate,
  ThreadListQuery,
  ThreadParams,
  ThreadPatch,
  ThreadSearch,
  UploadExperiment,
  UploadedFeedback,
  UploadedRow
};
