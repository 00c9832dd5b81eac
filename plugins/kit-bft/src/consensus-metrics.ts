import type { Address, PluginMetrics } from "@plinth/core";
import type { BftMessage } from "./messages.js";

/** What became of a message. */
export type MessageOutcome = "sent" | "received" | "rejected";

/** What operators see of consensus in numbers. */
export interface ConsensusMetrics {
  message(kind: BftMessage["kind"] | "unreadable", outcome: MessageOutcome): void;
  /** A validator has given up a round. */
  roundChange(validator: Address): void;
  /** A round passed without a decision: its proposer failed, or too few answered. */
  missed(proposer: Address | undefined): void;
}

/** Declares the metrics; `now` answers which height and round this node takes part in. */
export function createMetrics(
  metrics: PluginMetrics,
  now: () => { readonly height: bigint; readonly round: number } | undefined,
): ConsensusMetrics {
  const area = metrics.area("consensus");
  const messages = area.counter({
    name: "messages",
    help: "Consensus messages by kind and by what became of them",
    labels: ["kind", "outcome"],
  });
  const roundChanges = area.counter({
    name: "round_change",
    help: "Rounds that a validator gave up",
    labels: ["validator"],
  });
  const missed = area.counter({
    name: "proposer_missed",
    help: "Rounds that ended without a decision, by their proposer",
    labels: ["validator"],
  });
  area.gauge({
    name: "height_current",
    help: "The block that is being decided; 0 while this node takes no part",
    collect: () => Number(now()?.height ?? 0n),
  });
  area.gauge({
    name: "round_current",
    help: "The round of that block",
    collect: () => now()?.round ?? 0,
  });
  return {
    message: (kind, outcome) => messages.increment(1, { kind, outcome }),
    roundChange: (validator) => roundChanges.increment(1, { validator }),
    missed(validator) {
      if (validator !== undefined) missed.increment(1, { validator });
    },
  };
}
