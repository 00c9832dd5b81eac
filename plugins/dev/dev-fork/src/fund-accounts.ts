import { type Address, type Runtime, t } from "@plinth/core";
import type { DevChain } from "@plinth/plugin-consensus-dev/api";

const alloc = t.record(t.object({ balance: t.optional(t.json), privateKey: t.optional(t.text) }));

/**
 * Gives the accounts whose keys are in the genesis file the balance they have there, if they have less, in one block
 * after that of the other network. Nothing happens on a chain that has later blocks already.
 */
export async function fundAccounts(
  { chain, production }: Pick<Runtime, "chain" | "production">,
  { dev, start }: { readonly dev: DevChain; readonly start: bigint },
): Promise<void> {
  const { blocks, genesis } = chain;
  const head = blocks.head();
  if (head.number !== start) return;
  const state = blocks.stateAt(head);
  const changes = wantedBalances(genesis).filter(
    ({ address, balance }) => (state.findAccount(address)?.balance ?? 0n) < balance,
  );
  if (changes.length === 0) return;
  // Block production starts after startup, but this block must exist before the first request.
  production?.start();
  await dev.change(changes);
}

function wantedBalances(
  genesis: object,
): readonly { readonly address: Address; readonly balance: bigint }[] {
  const accounts = alloc.decode(Reflect.get(genesis, "alloc") ?? {}, "alloc");
  return Object.entries(accounts).flatMap(([name, { balance, privateKey }]) => {
    if (privateKey === undefined) return [];
    return [{ address: t.address.decode(name, "alloc"), balance: BigInt(String(balance ?? 0)) }];
  });
}
