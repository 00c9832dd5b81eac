import type { BlockReader, PluginTable } from "@plinth/core";
import {
  decodeUnresolved,
  encodeUnresolved,
  type UnresolvedMarker,
  unresolvedKey,
} from "./unresolved.js";

/** Position of a marker on the chain. */
export type MarkerPlace = Pick<UnresolvedMarker, "number" | "index">;

/** The markers whose private transactions were not executed, although they may be for this node. */
export class UnresolvedMarkers {
  readonly #table: PluginTable;
  readonly #blocks: Pick<BlockReader, "findHeader">;

  constructor(table: PluginTable, blocks: Pick<BlockReader, "findHeader">) {
    this.#table = table;
    this.#blocks = blocks;
  }

  find(place: MarkerPlace): UnresolvedMarker | undefined {
    const key = unresolvedKey(place);
    const bytes = this.#table.getSync(key);
    const found = bytes && decodeUnresolved(key, bytes);
    return found && this.#isCanonical(found) ? found : undefined;
  }

  /** Those of the current chain, in order or newest first. */
  async *all(
    range: { readonly below?: MarkerPlace | undefined; readonly reverse?: boolean } = {},
  ): AsyncGenerator<UnresolvedMarker> {
    const { below, reverse = false } = range;
    const to = below === undefined ? {} : { to: unresolvedKey(below) };
    for await (const [key, value] of this.#table.iterate({ ...to, reverse })) {
      const entry = decodeUnresolved(key, value);
      if (this.#isCanonical(entry)) yield entry;
    }
  }

  /** Deletes some, and updates the findings about others. */
  async update({
    kept,
    forgotten,
  }: {
    readonly kept: readonly UnresolvedMarker[];
    readonly forgotten: readonly UnresolvedMarker[];
  }): Promise<void> {
    await this.#table.write([
      ...kept.map((entry) => [unresolvedKey(entry), encodeUnresolved(entry)] as const),
      ...forgotten.map((entry) => [unresolvedKey(entry), undefined] as const),
    ]);
  }

  #isCanonical({ number, blockHash }: UnresolvedMarker): boolean {
    return this.#blocks.findHeader(number)?.hash === blockHash;
  }
}
