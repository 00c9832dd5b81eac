import type { Address, PluginMetrics } from "@plinth/core";
import type { BftMessage } from "../messages/messages.js";

/** The outcome of a message. */
export type MessageOutcome = "sent" | "received" | "rejected";

/** The consensus metrics for operators. */
export interface ConsensusMetrics {
  message(kind: BftMessage["kind"] | "unreadable", outcome: MessageOutcome): void;
  /** A validator has given up a round. */
  roundChange(validator: Address): void;
  /** This node takes part in a height and a round of it. */
  at(height: bigint, round: number): void;
  /** A round ended without a decision: its proposer failed, or too few validators responded. */
  missed(proposer: Address | undefined): void;
  /** A validator has signed two messages that contradict each other. */
  contradiction(validator: Address): void;
}

/** Declares the metrics; engines that take over from each other share them. */
export function createMetrics(metrics: PluginMetrics): ConsensusMetrics {
  const area = metrics.area("consensus");
  const messages = area.counter({
    name: "messages",
    help: "Consensus messages by kind and by outcome",
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
  const contradictions = area.counter({
    name: "contradictions",
    help: "Messages that contradict another one of the same validator",
    labels: ["validator"],
  });
  const height = area.gauge({
    name: "height_current",
    help: "The block being decided; 0 while this node takes no part",
  });
  const round = area.gauge({ name: "round_current", help: "The round of that block" });
  return {
    message: (kind, outcome) => messages.increment(1, { kind, outcome }),
    roundChange: (validator) => roundChanges.increment(1, { validator }),
    at(current, currentRound) {
      height.set(Number(current));
      round.set(currentRound);
    },
    missed(validator) {
      if (validator !== undefined) missed.increment(1, { validator });
    },
    contradiction: (validator) => contradictions.increment(1, { validator }),
  };
}
