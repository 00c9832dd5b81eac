import {
  type Address,
  decodeRlp,
  type ExtraDataCodec,
  encodeRlp,
  parseHex,
  type Rlp,
  RlpError,
  toHex,
} from "@plinth/core";

const VANITY = new Uint8Array(32);
const ADDRESS_BYTES = 20;

/**
 * The extra data of a BFT engine: vanity, validators, vote, round, seals.
 *
 * Engines differ in how they write that there is no vote and that the round is zero.
 */
export function defineBftExtraData(settings: {
  readonly type: string;
  /** What the engine is called in messages. */
  readonly engine: string;
  readonly noVote: Rlp;
  readonly roundZero: Rlp;
}): ExtraDataCodec {
  const { type, engine, noVote, roundZero } = settings;
  return {
    type,
    encodeGenesis: (validators) =>
      encodeRlp([VANITY, validators.map(toBytes), noVote, roundZero, []]),
    decodeValidators(extraData) {
      const fields = decodeRlp(extraData);
      if (fields instanceof Uint8Array || fields.length !== 5) {
        throw new RlpError(`not the extra data of ${engine}: expected a list of five`);
      }
      const validators = fields[1];
      if (validators === undefined || validators instanceof Uint8Array) {
        throw new RlpError(`not the extra data of ${engine}: its validators are not a list`);
      }
      return validators.map(toAddress);
    },
  };
}

function toBytes(address: Address): Uint8Array {
  const bytes = parseHex(address);
  if (bytes?.length !== ADDRESS_BYTES)
    throw new RlpError(`${address} is not an address of 20 bytes`);
  return bytes;
}

function toAddress(field: Rlp): Address {
  if (!(field instanceof Uint8Array) || field.length !== ADDRESS_BYTES) {
    throw new RlpError("a validator in the extra data is not an address of 20 bytes");
  }
  return toHex(field);
}
