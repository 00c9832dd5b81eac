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

/** The data sources of a request. */
export interface ReaderContext {
  readonly blocks: BlockReader;
  readonly pool: Pool;
  readonly compatibility: Compatibility;
  readonly differences: Differences;
  readonly settings: QuerySettings;
  readonly budget: Budget;
  /** Runs possibly long queries for a caller. */
  readonly query: Query;
  readonly client: QueryClient;
}

/** The source from which objects of a response read more fields. */
export interface ChainSource {
  readonly context: ReaderContext;
  /** The head block, the same for the whole request. */
  readonly head: SealedHeader;
  findBlock(id: Hash | bigint): object | undefined;
  /** The state after a block; `undefined` if it is not kept. */
  findState(header: Header): StateReader | undefined;
}
