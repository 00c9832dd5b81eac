import { t } from "@plinth/core";
import { BlockForm, bftSettings } from "@plinth/kit-bft";
import { ibft, ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import {
  type QbftProposal,
  type QbftRoundChange,
  qbft,
  qbftExtraData,
} from "@plinth/plugin-consensus-qbft/api";
import { memoised } from "./simulated-signatures.js";
import type { SimulatedEngine } from "./simulation.js";
import { ibftWire, qbftWire } from "./wire-form.js";

const settings = t.object(bftSettings).decode({ requestTimeoutSeconds: 2 });

/** QBFT, for a simulation. */
export const QBFT: SimulatedEngine<QbftProposal, QbftRoundChange> = {
  dialect: memoised(qbft),
  codec: qbftExtraData,
  form: new BlockForm(qbftExtraData),
  wire: qbftWire,
  settings,
  isStrict: false,
};

type IbftMessage = ReturnType<(typeof ibft)["decode"]>;

/** IBFT 2.0, for a simulation. */
export const IBFT: SimulatedEngine<
  Extract<IbftMessage, { kind: "proposal" }>,
  Extract<IbftMessage, { kind: "round-change" }>
> = {
  dialect: memoised(ibft),
  codec: ibftExtraData,
  form: new BlockForm(ibftExtraData),
  wire: ibftWire,
  settings,
  isStrict: true,
};
