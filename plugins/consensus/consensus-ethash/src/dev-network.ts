import type { NamedNetwork } from "@plinth/core/genesis";

/** A network for tests on one machine, with well-known accounts. */
export const devNetwork: NamedNetwork = {
  name: "dev",
  networkId: 2018n,
  readGenesis: () => ({
    config: {
      chainId: 1337,
      londonBlock: 0,
      contractSizeLimit: 2147483647,
      ethash: { fixedDifficulty: 100 },
    },
    nonce: "0x42",
    timestamp: "0x0",
    extraData: "0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa",
    gasLimit: "0x1fffffffffffff",
    difficulty: "0x10000",
    baseFeePerGas: "0x0",
    alloc: {
      fe3b557e8fb62b89f4916b721be55ceb828dbd73: { balance: "0xad78ebc5ac6200000" },
      "627306090abab3a6e1400e9345bc60c78a8bef57": { balance: "90000000000000000000000" },
      f17f52151ebef6c7334fad080c5704d77216b732: { balance: "90000000000000000000000" },
    },
  }),
};
