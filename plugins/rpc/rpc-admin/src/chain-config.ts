import type { Compatibility } from "@plinth/core";

/** Names as Besu writes them, by those in lower case that genesis files have. */
const ENGINE_NAMES: Readonly<Record<string, string>> = {
  blockperiodseconds: "blockPeriodSeconds",
  duplicatemessagelimit: "duplicateMessageLimit",
  epochlength: "epochLength",
  futuremessageslimit: "futureMessagesLimit",
  futuremessagesmaxdistance: "futureMessagesMaxDistance",
  gossipedhistorylimit: "gossipedHistoryLimit",
  messagequeuelimit: "messageQueueLimit",
  requesttimeoutseconds: "requestTimeoutSeconds",
};

/** What clients do not look for here: where to find nodes, what changes later, who is paid. */
const LEFT_OUT = ["transitions", "discovery", "checkpoint"];
const LEFT_OUT_OF_ENGINES = ["blockreward", "miningbeneficiary"];

/** The options of a chain that are set, in the spelling of the genesis file; those of its engine as Besu writes them where it is the model. */
export function chainConfigOf(
  genesis: object,
  { mode }: Pick<Compatibility, "mode">,
): Readonly<Record<string, unknown>> {
  const key = Object.keys(genesis).find((name) => name.toLowerCase() === "config") ?? "config";
  const config: object = Object(Reflect.get(genesis, key));
  const names = mode === "besu" ? ENGINE_NAMES : {};
  const members = Object.entries(config).filter(
    ([name, value]) => value !== null && value !== false && !LEFT_OUT.includes(name.toLowerCase()),
  );
  return Object.fromEntries(members.map(([name, value]) => [name, showMember(value, names)]));
}

function showMember(value: unknown, names: Readonly<Record<string, string>>): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(
    ([name]) => !LEFT_OUT_OF_ENGINES.includes(name.toLowerCase()),
  );
  return Object.fromEntries(
    members.map(([name, member]) => [names[name.toLowerCase()] ?? name, member]),
  );
}
