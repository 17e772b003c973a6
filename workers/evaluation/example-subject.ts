import { asObject, asText, parseJson } from '../../src/base/json/json.js';
import type { ExampleVersion } from '../../src/store/evaluation/examples.js';
import type { FilterSubject, FilterValue } from './filter.js';

/**
 * An example as the subject of a filter: its metadata, name and content. Fields that only runs have are
 * undefined.
 */
export class ExampleSubject implements FilterSubject {
  readonly #version: ExampleVersion;
  #metadata: Record<string, unknown> | null = null;

  constructor(version: ExampleVersion) {
    this.#version = version;
  }

  field(name: string): FilterValue | undefined {
    const { exampleId, name: given, inputs, outputs } = this.#version;
    switch (name) {
      case 'id':
      case 'reference_example_id':
        return exampleId;
      case 'name':
        return given;
      case 'inputs':
        return asText(inputs);
      case 'outputs':
        return outputs === null ? null : asText(outputs);
      default:
        return undefined;
    }
  }

  tags(): readonly string[] {
    return [];
  }

  metadata(): Record<string, unknown> {
    return (this.#metadata ??= this.#version.metadata === null ? {} : asObject(parseJson(this.#version.metadata)));
  }

  feedback(): readonly [] {
    return [];
  }

  text(): string {
    const { name, inputs, outputs } = this.#version;
    return [name, asText(inputs), outputs === null ? '' : asText(outputs)].join('\n');
  }
}
