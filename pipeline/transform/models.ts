export interface Model {
  readonly provider: string | null;
  readonly modelId: string | null;
}

const NO_MODEL: Model = { provider: null, modelId: null };

/** The models that a file names, each once, by index; 0 is none. */
export class Models {
  readonly #models: Model[] = [NO_MODEL];
  #last = 0;
  readonly #indexes = new Map<string, number>();

  indexOf(provider: string | null, modelId: string | null): number {
    const last = this.at(this.#last);
    if (last.modelId === modelId && last.provider === provider) return this.#last;
    this.#last = this.#find(provider, modelId);
    return this.#last;
  }

  #find(provider: string | null, modelId: string | null): number {
    const key = JSON.stringify([provider, modelId]);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#indexes.set(key, this.#models.length);
    return this.#models.push({ provider, modelId }) - 1;
  }

  at(index: number): Model {
    return this.#models[index] ?? NO_MODEL;
  }
}
