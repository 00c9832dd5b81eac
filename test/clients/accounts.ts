/** An account, and the key that signs for it. */
export interface Account {
  readonly address: string;
  readonly key: string;
}

/** The first development account. */
export const RICH: Account = {
  address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  key: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
};

/** The second development account. */
export const FRIEND: Account = {
  address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  key: "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
};

/** An account without ether. */
export const POOR: Account = {
  address: "0x6813Eb9362372EEF6200f3b1dbC3f819671cBA69",
  key: "0x0000000000000000000000000000000000000000000000000000000000000003",
};
