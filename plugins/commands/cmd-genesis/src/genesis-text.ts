import { type Address, toHex } from "@plinth/core";
import type { GenesisTemplate } from "@plinth/core/consensus";
import type { NetworkSettings } from "./plan-network.js";

const GAS_LIMIT = "0x1c9c380";
/** 10,000 ether. */
const BALANCE = "0x21e19e0c9bab2400000";

/** The genesis file of a new network that starts now. */
export function formatGenesis(
  settings: Pick<NetworkSettings, "chainId" | "periodSeconds" | "funded" | "isGasFree">,
  {
    template,
    validators,
    nowMs,
  }: {
    readonly template: GenesisTemplate;
    readonly validators: readonly Address[];
    readonly nowMs: number;
  },
): string {
  const genesis = {
    config: {
      chainId: settings.chainId,
      ...template.forks,
      ...(settings.isGasFree ? { zeroBaseFee: true } : {}),
      [template.engine]: template.settings(settings),
    },
    nonce: "0x0",
    timestamp: `0x${Math.floor(nowMs / 1000).toString(16)}`,
    gasLimit: GAS_LIMIT,
    ...template.members,
    coinbase: `0x${"00".repeat(20)}`,
    extraData: toHex(template.encodeExtraData(validators)),
    alloc: Object.fromEntries(settings.funded.map((address) => [address, { balance: BALANCE }])),
  };
  return `${JSON.stringify(genesis, undefined, 2)}\n`;
}
