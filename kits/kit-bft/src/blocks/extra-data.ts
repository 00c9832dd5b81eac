import { type Address, decodeRlp, encodeRlp, parseHex, type Rlp, RlpError } from "@plinth/core";
import { Fields } from "@plinth/core/blocks";
import type { ExtraDataCodec } from "@plinth/core/consensus";
import { rlpItems } from "@plinth/core/primitives";
import type { Proposal as VoteProposal } from "@plinth/kit-poa";

/** The extra data of a BFT block. */
export interface BftExtraData {
  /** Free bytes of the proposer. */
  readonly vanity: Uint8Array;
  /** The validators that may propose and seal the block. */
  readonly validators: readonly Address[];
  readonly vote: VoteProposal | undefined;
  /** The round in which the block was proposed or decided. */
  readonly round: number;
  /** The commit seals, 65 bytes each. */
  readonly seals: readonly Uint8Array[];
}

/** How an engine encodes the common parts of BFT extra data. */
export interface ExtraDataForm {
  /** The name of the type in commands. */
  readonly type: string;
  /** The key of the engine under `config` of the genesis file. */
  readonly engine: string;
  /** The name of the engine in messages. */
  readonly title: string;
  readonly noVote: Rlp;
  /** The encoding of a vote against a validator. */
  readonly dropVote: Uint8Array;
  readonly roundToRlp: (round: number) => Uint8Array;
  /** Throws `RlpError`. */
  readonly roundFromBytes: (bytes: Uint8Array) => number;
  /** Whether items after the seals are ignored. */
  readonly allowsMore: boolean;
  /** The items that commit seals sign: those of a block without seals. */
  readonly sealed: (items: readonly Rlp[]) => readonly Rlp[];
  /** The items that the block hash covers. */
  readonly hashed: (items: readonly Rlp[]) => readonly Rlp[];
}

const VANITY_BYTES = 32;
/** Vanity, validators, vote, round and seals. */
const ITEMS = 5;
const ADD_VOTE = Uint8Array.of(0xff);
const ZERO_BYTE = Uint8Array.of(0);
const MAX_ROUND = 2 ** 31 - 1;

/** Encodes and decodes the extra data of one engine: vanity, validators, vote, round, seals. */
export class BftExtraDataCodec implements ExtraDataCodec {
  readonly type: string;
  readonly engine: string;
  /** The name of the engine in messages. */
  readonly title: string;
  readonly #form: ExtraDataForm;
  /** What was decoded: the rules of a header read its extra data four times. */
  readonly #decoded = new WeakMap<Uint8Array, BftExtraData>();

  constructor(form: ExtraDataForm) {
    this.type = form.type;
    this.engine = form.engine;
    this.title = form.title;
    this.#form = form;
  }

  encodeGenesis(validators: readonly Address[]): Uint8Array {
    const vanity = new Uint8Array(VANITY_BYTES);
    return this.encode({ vanity, validators, vote: undefined, round: 0, seals: [] });
  }

  decodeValidators(extraData: Uint8Array): readonly Address[] {
    return this.decode(extraData).validators;
  }

  encode(data: BftExtraData): Uint8Array {
    return encodeRlp(this.#toItems(data));
  }

  /** The extra data that commit seals sign. */
  encodeForSeals(data: BftExtraData): Uint8Array {
    return encodeRlp(this.#form.sealed(this.#toItems({ ...data, seals: [] })));
  }

  /** The extra data that the block hash covers. */
  encodeForHash(data: BftExtraData): Uint8Array {
    return encodeRlp(this.#form.hashed(this.#toItems({ ...data, round: 0, seals: [] })));
  }

  /** Throws `RlpError` if the bytes are malformed. */
  decode(bytes: Uint8Array): BftExtraData {
    const known = this.#decoded.get(bytes);
    if (known !== undefined) return known;
    const data = this.#decode(bytes);
    this.#decoded.set(bytes, data);
    return data;
  }

  /** How many bytes follow what is decoded. */
  spareBytes(bytes: Uint8Array): number {
    const hasMore = [...rlpItems(bytes)].length > ITEMS;
    return hasMore ? bytes.length - this.encode(this.decode(bytes)).length : 0;
  }

  #decode(bytes: Uint8Array): BftExtraData {
    const fields = new Fields(`the extra data of ${this.title}`, decodeRlp(bytes));
    const data = {
      vanity: fields.bytes("vanity"),
      validators: readAddresses(new Fields("validators", fields.list("validators"))),
      vote: this.#decodeVote(fields.item("vote")),
      round: this.#decodeRound(fields.bytes("round")),
      seals: readSeals(fields.list("seals")),
    };
    if (!this.#form.allowsMore) fields.verifyEnd();
    return data;
  }

  #toItems({ vanity, validators, vote, round, seals }: BftExtraData): readonly Rlp[] {
    const { noVote, dropVote, roundToRlp } = this.#form;
    const written =
      vote === undefined
        ? noVote
        : [addressBytes(vote.candidate), vote.kind === "add" ? ADD_VOTE : dropVote];
    return [vanity, validators.map(addressBytes), written, roundToRlp(round), seals];
  }

  #decodeVote(item: Rlp): VoteProposal | undefined {
    if (item.length === 0 && item instanceof Uint8Array === this.#form.noVote instanceof Uint8Array)
      return undefined;
    const fields = new Fields("vote", item);
    const candidate = fields.address("candidate");
    const kind = fields.bytes("kind");
    fields.verifyEnd();
    if (isSame(kind, ADD_VOTE)) return { candidate, kind: "add" };
    if (isSame(kind, this.#form.dropVote) || isSame(kind, ZERO_BYTE)) {
      return { candidate, kind: "drop" };
    }
    throw new RlpError("vote.kind: neither for nor against a validator");
  }

  #decodeRound(bytes: Uint8Array): number {
    const round = this.#form.roundFromBytes(bytes);
    if (round > MAX_ROUND) throw new RlpError(`round: ${round}, expected at most ${MAX_ROUND}`);
    return round;
  }
}

/** The vanity of a block: the operator's bytes at the end of 32. */
export function padVanity(extraData: Uint8Array): Uint8Array {
  const vanity = new Uint8Array(VANITY_BYTES);
  const bytes = extraData.subarray(0, VANITY_BYTES);
  vanity.set(bytes, VANITY_BYTES - bytes.length);
  return vanity;
}

function readAddresses(fields: Fields): readonly Address[] {
  const addresses: Address[] = [];
  while (fields.hasMore()) addresses.push(fields.address(String(addresses.length)));
  return addresses;
}

function readSeals(items: readonly Rlp[]): readonly Uint8Array[] {
  const fields = new Fields("seals", items);
  return items.map((_, index) => fields.bytes(String(index)));
}

function addressBytes(address: Address): Uint8Array {
  const bytes = parseHex(address);
  if (bytes?.length === 20) return bytes;
  throw new RlpError(`${address} is not an address of 20 bytes`);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
