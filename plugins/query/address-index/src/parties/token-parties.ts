import type { Address, Hash, Receipt } from "@plinth/core";

const NO_ACCOUNT: Address = `0x${"0".repeat(40)}`;
const PADDING = `0x${"0".repeat(24)}`;
const ADDRESS_DIGITS = 40;

/** The position of the sender in the topics of an event, by its hash; the recipient comes next. */
const SENDER_TOPICS: ReadonlyMap<Hash, number> = new Map([
  // ERC-20 and ERC-721: Transfer(address,address,uint256)
  ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", 1],
  // ERC-1155: TransferSingle(address,address,address,uint256,uint256)
  ["0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62", 2],
  // ERC-1155: TransferBatch(address,address,address,uint256[],uint256[])
  ["0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb", 2],
]);

/** The senders and recipients of the tokens that a transaction transferred. */
export function* tokenPartiesOf({ logs }: Receipt): Generator<Address> {
  for (const { topics } of logs) {
    const [event] = topics;
    const first = event === undefined ? undefined : SENDER_TOPICS.get(event);
    if (first === undefined) continue;
    for (const topic of topics.slice(first, first + 2)) {
      const party = addressOf(topic);
      // Tokens are created and destroyed as transfers from and to it.
      if (party !== undefined && party !== NO_ACCOUNT) yield party;
    }
  }
}

/** `undefined` if the topic is no address: any contract can emit such an event. */
function addressOf(topic: Hash): Address | undefined {
  return topic.startsWith(PADDING) ? `0x${topic.slice(-ADDRESS_DIGITS)}` : undefined;
}
