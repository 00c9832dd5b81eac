import { defineBftExtraData } from "@plinth/kit-bft";

/** Extra data of IBFT 2.0: no vote is an empty string, and the round always has four bytes. */
export const ibftExtraData = defineBftExtraData({
  type: "IBFT_EXTRA_DATA",
  engine: "IBFT 2.0",
  noVote: new Uint8Array(),
  roundZero: new Uint8Array(4),
});
