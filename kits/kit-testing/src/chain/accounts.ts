import type { Address } from "@plinth/core";

/** A well-known account with its private key. */
export interface TestAccount {
  /** Hex, without `0x`. */
  readonly key: string;
  readonly address: Address;
}

/** The default signer. */
export const ALICE: TestAccount = {
  key: "8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63",
  address: "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73",
};

/** A second account with ether. */
export const CAROL: TestAccount = {
  key: "c87509a1c067bbde78beb793e6fa76530b6382a4c0241e5e4a9ec0a0f44dc0d3",
  address: "0x627306090abab3a6e1400e9345bc60c78a8bef57",
};

/** A third account with ether. */
export const DAVE: TestAccount = {
  key: "ae6ae8e5ccbfb04590405997ee2d52d2b330726137b875053c36d94e974d162f",
  address: "0xf17f52151ebef6c7334fad080c5704d77216b732",
};

/** All accounts with ether on the test chain. */
export const ACCOUNTS: readonly TestAccount[] = [ALICE, CAROL, DAVE];

/** An address to send to; it has neither ether nor a known key. */
export const BOB: Address = "0x00000000000000000000000000000000000000b0";
