import type { ConsensusEngine, Header } from "@plinth/core";
import { InvalidBlock } from "@plinth/core";
import type { ForkField } from "@plinth/core/consensus";
import type { RuleSet } from "@plinth/core/evm";
import type { ForkSchedule } from "@plinth/core/rules";

/** Fields of a header with the rule that introduced each. */
const FIELDS: readonly (readonly [ForkField, (rules: RuleSet) => boolean])[] = [
  ["withdrawalsRoot", (rules) => rules.hasWithdrawals],
  ["blobGasUsed", (rules) => rules.blobs !== undefined],
  ["excessBlobGas", (rules) => rules.blobs !== undefined],
  ["parentBeaconBlockRoot", (rules) => rules.keepsBeaconRoots],
  ["requestsHash", (rules) => rules.hasRequests],
];

/**
 * Throws if a header has a field before its fork, or violates the engine's rules about it
 * afterwards.
 */
export function verifyForkFields(
  header: Header,
  forks: ForkSchedule,
  engine: Pick<ConsensusEngine, "forkField">,
): void {
  const rules = forks.rulesAt(header);
  for (const [field, isBrought] of FIELDS) {
    const isThere = header[field] !== undefined;
    const isActive = isBrought(rules);
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
