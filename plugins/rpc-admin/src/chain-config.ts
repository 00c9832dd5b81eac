/** Names as clients know them, by those in lower case that genesis files have. */
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

/** The options of a chain that are set, those of its engine under their own names. */
export function chainConfigOf(genesis: object): Readonly<Record<string, unknown>> {
  const config: object = Object(Reflect.get(genesis, "config"));
  const members = Object.entries(config).filter(
    ([name, value]) => value !== null && value !== false && !LEFT_OUT.includes(name.toLowerCase()),
  );
  return Object.fromEntries(members.map(([name, value]) => [name, showMember(value)]));
}

function showMember(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(
    ([name]) => !LEFT_OUT_OF_ENGINES.includes(name.toLowerCase()),
  );
  return Object.fromEntries(
    members.map(([name, member]) => [ENGINE_NAMES[name.toLowerCase()] ?? name, member]),
  );
}
