import { defineDriverPoint } from "../kernel/drivers.js";
import type { Address, Hash } from "../primitives/hex.js";
import type { Signature } from "../primitives/secp256k1/secp256k1.js";

/** The identity of this node. The private key itself never leaves it. */
export interface NodeKey {
  /** 64 bytes, without the leading format byte. */
  readonly publicKey: Uint8Array;
  readonly address: Address;
  sign(hash: Hash): Promise<Signature>;
  /** The secret shared with the holder of another public key (64 bytes): the x coordinate, 32 bytes. */
  agree(publicKey: Uint8Array): Promise<Uint8Array>;
}

/** A node key contributed by a plugin; one is selected with `--security-module`. */
export interface NodeKeyDriver {
  /** The name by which the operator selects it. */
  readonly name: string;
  /** Opens the key; `dataPath` is the folder of the node. */
  open(place: { readonly dataPath: string }): Promise<NodeKey>;
}

/** The contribution point of node key drivers. */
export const nodeKeyDrivers = defineDriverPoint<NodeKeyDriver>("keys.driver", {
  option: "security-module",
  summary: "Provides the key of the node.",
});
