import type {
  BlockReader,
  Compatibility,
  Hash,
  Header,
  Pool,
  SealedHeader,
  StateReader,
} from "@plinth/core";
import type { Query, QueryClient } from "@plinth/core/query";
import type { QuerySettings } from "@plinth/plugin-rpc-eth/api";
import type { Budget } from "./budget.js";
import type { Differences } from "./differences.js";

/** What a request is answered from. */
export interface ReaderContext {
  readonly blocks: BlockReader;
  readonly pool: Pool;
  readonly compatibility: Compatibility;
  readonly differences: Differences;
  readonly settings: QuerySettings;
  readonly budget: Budget;
  /** What answers questions that may take long, and who asks them. */
  readonly query: Query;
  readonly client: QueryClient;
}

/** What the objects of an answer read more of themselves with. */
export interface Reading {
  readonly context: ReaderContext;
  /** The last block, the same for the whole request. */
  readonly head: SealedHeader;
  findBlock(id: Hash | bigint): object | undefined;
  /** The state after a block; `undefined` when it is not kept. */
  findState(header: Header): StateReader | undefined;
}
