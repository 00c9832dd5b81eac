import { type Address, type Runtime, type StateReader, t } from "@plinth/core";
import { type MissingValue, StateMissing } from "@plinth/core/chain";
import type { DevChain } from "@plinth/plugin-consensus-dev/api";

const alloc = t.record(t.object({ balance: t.optional(t.json), privateKey: t.optional(t.text) }));

/**
 * Gives the accounts whose keys are in the genesis file the balance they have there, if they have less, in one block
 * after that of the other network. Nothing happens on a chain that has later blocks already.
 */
export async function fundAccounts(
  { chain, production }: Pick<Runtime, "chain" | "production">,
  {
    dev,
    start,
    isLazy,
  }: { readonly dev: DevChain; readonly start: bigint; readonly isLazy: boolean },
): Promise<void> {
  const { blocks, genesis } = chain;
  const head = blocks.head();
  if (head.number !== start) return;
  const wanted = wantedBalances(genesis);
  const changes = await blocks.resolveMissing(() => {
    const balances = readBalances(blocks.stateAt(head), wanted);
    return wanted.filter(({ balance }, index) => (balances[index] ?? 0n) < balance);
  });
  // A lazy fork lacks the block of the other network, and begins with another one.
  if (changes.length === 0 && !isLazy) return;
  // Block production starts after startup, but this block must exist before the first request.
  production?.start();
  await dev.change(changes);
}

/** All of them, or the error that all are missing which are. */
function readBalances(
  state: StateReader,
  accounts: readonly { readonly address: Address }[],
): readonly bigint[] {
  const missing: MissingValue[] = [];
  const balances = accounts.map(({ address }) => {
    try {
      return state.findAccount(address)?.balance ?? 0n;
    } catch (error) {
      if (!(error instanceof StateMissing)) throw error;
      missing.push(...error.values);
      return 0n;
    }
  });
  if (missing.length > 0) throw new StateMissing(missing);
  return balances;
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
