import { type Call, RpcError } from "@plinth/core";
import type { AddressIndex } from "@plinth/plugin-address-index/api";
import type { dependencies } from "./dependencies.js";

/** How long a caller waits for the index to have the head. */
const MAX_WAIT_MS = 2000;
/** How often a search is repeated because the chain changed meanwhile. */
const MAX_ATTEMPTS = 5;

/** Reads the address index when it has the head, again if blocks leave the chain meanwhile. */
export async function readIndex<T>(
  call: Call<typeof dependencies>,
  read: (index: AddressIndex) => Promise<T>,
): Promise<T> {
  const index = call.addresses;
  if (index === undefined) throw RpcError.methodNotEnabled("it needs --address-index-enabled");
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await waitForHead(index, call);
    const { version } = index;
    const result = await read(index);
    if (index.version === version) return result;
  }
  throw new RpcError(-32000, "Blocks kept leaving the chain during the search; try again");
}

async function waitForHead(index: AddressIndex, { chain, client }: Call): Promise<void> {
  const isThere = await index.waitForHead({ timeoutMs: MAX_WAIT_MS, signal: client.closed });
  if (isThere) return;
  const { lastBlock } = index;
  const reached = lastBlock === undefined ? "no block" : `blocks up to ${lastBlock}`;
  throw new RpcError(
    -32000,
    `The address index has ${reached} of ${chain.blocks.head().number}; it is catching up, try again later`,
  );
}
