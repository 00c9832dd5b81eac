import type { Header } from "../../blocks/header.js";
import type { Fork } from "../../evm/fork.js";
import { InvalidBlock } from "../errors.js";
import type { ForkSchedule } from "../forks.js";

/** Fields of a header with the fork that brought each. */
const FIELDS: readonly (readonly [keyof Header, Fork])[] = [
  ["withdrawalsRoot", "shanghai"],
  ["blobGasUsed", "cancun"],
  ["excessBlobGas", "cancun"],
  ["parentBeaconBlockRoot", "cancun"],
  ["requestsHash", "prague"],
];

/**
 * Throws when a header has a field before its fork, or lacks one that its fork wants.
 *
 * Only blocks after the merge, which have no difficulty, must have them: those of BFT chains do without.
 */
export function verifyForkFields(header: Header, forks: ForkSchedule): void {
  const { number, difficulty } = header;
  for (const [field, fork] of FIELDS) {
    const isThere = header[field] !== undefined;
    const isTime = forks.isActive(fork, header);
    if (isThere === isTime || (isTime && difficulty > 0n)) continue;
    const problem = isThere ? "came before its fork" : "is missing";
    throw new InvalidBlock("fork-fields", `block ${number}: ${field} ${problem}`);
  }
}
