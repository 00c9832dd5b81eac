import type { VM } from "@ethereumjs/vm";
import { type Address, withoutPrefix } from "@plinth/core";

/**
 * Moves precompiles to other addresses, or removes them; returns a function that restores all of
 * them.
 */
export function movePrecompiles(
  { evm }: Pick<VM, "evm">,
  moves: ReadonlyMap<Address, Address | undefined> | undefined,
): () => void {
  if (moves === undefined || moves.size === 0) return () => {};
  const { precompiles } = evm;
  const before = [...precompiles];
  const taken = [...moves].map(([from, to]) => {
    const precompile = precompiles.get(withoutPrefix(from));
    return { from: withoutPrefix(from), to: to && withoutPrefix(to), precompile };
  });
  // The entry stays: its address is warm in any case.
  for (const { from } of taken) precompiles.set(from, undefined as never);
  for (const { to, precompile } of taken) {
    if (to !== undefined && precompile !== undefined) precompiles.set(to, precompile);
  }
  return () => {
    precompiles.clear();
    for (const [address, precompile] of before) precompiles.set(address, precompile);
  };
}
