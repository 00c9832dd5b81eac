import type { ConsensusEngine, Header } from "@plinth/core";
import { InvalidBlock } from "@plinth/core";
import type { ForkField } from "@plinth/core/consensus";
import type { Fork } from "@plinth/core/evm";
import type { ForkSchedule } from "@plinth/core/rules";

/** Fields of a header with the fork that brought each. */
const FIELDS: readonly (readonly [ForkField, Fork])[] = [
  ["withdrawalsRoot", "shanghai"],
  ["blobGasUsed", "cancun"],
  ["excessBlobGas", "cancun"],
  ["parentBeaconBlockRoot", "cancun"],
  ["requestsHash", "prague"],
];

/** Throws when a header has a field before its fork, or after it against what the engine says about its blocks. */
export function verifyForkFields(
  header: Header,
  forks: ForkSchedule,
  engine: Pick<ConsensusEngine, "forkField">,
): void {
  for (const [field, fork] of FIELDS) {
    const isThere = header[field] !== undefined;
    const isActive = forks.isActive(fork, header);
    const presence = isActive ? (engine.forkField?.(field, header) ?? "required") : "absent";
    if (presence === "optional" || isThere === (presence === "required")) continue;
    const problem = isThere
      ? isActive
        ? "is not allowed here"
        : "is before its fork"
      : "is missing";
    throw new InvalidBlock("fork-fields", `block ${header.number}: ${field} ${problem}`);
  }
}
