const KEY_BYTES = 32;
const OFFSET_BYTES = 6;
const RECORD_BYTES = KEY_BYTES + OFFSET_BYTES + 4;
const INITIAL_RECORDS = 4096;

/** The place of an account. */
export interface AllocPlace {
  readonly offset: number;
  readonly length: number;
}

/** The places of accounts by their trie keys: 42 bytes each, however large the accounts are. */
export class AllocIndex {
  #records = Buffer.alloc(INITIAL_RECORDS * RECORD_BYTES);
  #order: Uint32Array | undefined;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(key: Uint8Array, { offset, length }: AllocPlace): void {
    const at = this.#count * RECORD_BYTES;
    if (at === this.#records.length) this.#records = grown(this.#records);
    this.#records.set(key, at);
    this.#records.writeUIntBE(offset, at + KEY_BYTES, OFFSET_BYTES);
    this.#records.writeUInt32BE(length, at + KEY_BYTES + OFFSET_BYTES);
    this.#count += 1;
    this.#order = undefined;
  }

  /** The places of each key, in the order of the keys; those of one key in the order of adding. */
  *sorted(): Generator<{ readonly key: Uint8Array; readonly places: readonly AllocPlace[] }> {
    const order = this.#sort();
    for (let from = 0; from < order.length; ) {
      const to = this.#endOfKey(order, from);
      yield this.#group(order.subarray(from, to));
      from = to;
    }
  }

  /** The places of a key. */
  find(key: Uint8Array): readonly AllocPlace[] {
    const order = this.#sort();
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Buffer.compare(this.#keyOf(order[middle] as number), key) < 0) low = middle + 1;
      else high = middle;
    }
    const first = order[low];
    if (first === undefined || Buffer.compare(this.#keyOf(first), key) !== 0) return [];
    return this.#group(order.subarray(low, this.#endOfKey(order, low))).places;
  }

  #group(records: Uint32Array) {
    const key = this.#keyOf(records[0] as number);
    return { key, places: Array.from(records, (record) => this.#placeOf(record)) };
  }

  #endOfKey(order: Uint32Array, from: number): number {
    const key = this.#keyOf(order[from] as number);
    let to = from + 1;
    while (to < order.length && Buffer.compare(this.#keyOf(order[to] as number), key) === 0) to++;
    return to;
  }

  #sort(): Uint32Array {
    if (this.#order !== undefined) return this.#order;
    const records = this.#records;
    const order = Uint32Array.from({ length: this.#count }, (_, record) => record);
    // The first bytes nearly always decide.
    const starts = order.map((record) => records.readUInt32BE(record * RECORD_BYTES));
    this.#order = order.sort(
      (a, b) =>
        (starts[a] as number) - (starts[b] as number) ||
        Buffer.compare(this.#keyOf(a), this.#keyOf(b)) ||
        a - b,
    );
    return this.#order;
  }

  #keyOf(record: number): Uint8Array {
    const at = record * RECORD_BYTES;
    return this.#records.subarray(at, at + KEY_BYTES);
  }

  #placeOf(record: number): AllocPlace {
    const at = record * RECORD_BYTES + KEY_BYTES;
    return {
      offset: this.#records.readUIntBE(at, OFFSET_BYTES),
      length: this.#records.readUInt32BE(at + OFFSET_BYTES),
    };
  }
}

function grown(records: Buffer): Buffer<ArrayBuffer> {
  const larger = Buffer.alloc(records.length * 2);
  larger.set(records);
  return larger;
}
