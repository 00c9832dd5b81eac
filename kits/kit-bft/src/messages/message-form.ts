import { PayloadForm, type PayloadRules } from "./payload-form.js";
import { VoteCodec } from "./vote-codec.js";

/** The codes of the messages in the protocol of an engine. */
export type MessageCodes = Readonly<
  Record<"proposal" | "prepare" | "commit" | "roundChange", number>
>;

/** How an engine encodes its messages. */
export interface MessageForm {
  readonly codes: MessageCodes;
  readonly payloads: PayloadForm;
  readonly votes: VoteCodec;
}

/** The form of messages with these codes, whose payloads follow these rules. */
export function createMessageForm(codes: MessageCodes, rules: PayloadRules): MessageForm {
  const payloads = new PayloadForm(rules);
  return { codes, payloads, votes: new VoteCodec(payloads, codes) };
}
