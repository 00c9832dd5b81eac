/** The network this node belongs to; the same with no network driver loaded. */
export interface Network {
  /** What peers compare; it may differ from the chain id. */
  readonly id: bigint;
  /** The public key of this node, 64 bytes; `undefined` without a key. */
  readonly publicKey: Uint8Array | undefined;
  /** The URL that other nodes reach this one by; `undefined` without connections. */
  readonly enode: string | undefined;
  /** Who is connected; `undefined` without connections. */
  readonly peers: readonly unknown[] | undefined;
}
