import { defineBftExtraData } from "@plinth/kit-bft";

/** Extra data of QBFT: no vote is an empty list, and the round is a number without leading zeros. */
export const qbftExtraData = defineBftExtraData({
  type: "QBFT_EXTRA_DATA",
  engine: "QBFT",
  noVote: [],
  roundZero: new Uint8Array(),
});
