import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  createMemoryStorageDriver,
  decodeRlp,
  encodeBlock,
  keccakHeader,
  loadCrypto,
  parseHex,
  toHex,
} from "@plinth/core";
import { decodeBlock, decodeTransaction } from "@plinth/core/blocks";
import type { Crypto } from "@plinth/core/primitives";
import { readForks } from "@plinth/core/rules";
import { CONFORMANCE, isConformanceMissing } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { buildGenesisBlock } from "../genesis/genesis-block.js";
import { encodeNode } from "../state/trie-nodes.js";

let crypto: Crypto;
beforeAll(async () => {
  crypto = await loadCrypto();
});

// Excluded: `blockgenesistest`, whose headers predate Frontier, and `crypto`, which is about the
// network.
describe.skipIf(isConformanceMissing)("the basic tests of ethereum/tests", () => {
  // `sig_of_emptystring` does not state what was hashed, and no hash of empty input matches it.
  it("derive the addresses of their keys", () => {
    const cases = read<readonly KeyTest[]>("BasicTests/keyaddrtest.json");

    for (const { seed, key, addr } of cases) {
      expect(toHex(crypto.keccak256(new TextEncoder().encode(seed)))).toBe(`0x${key}`);
      expect(crypto.addressOf(crypto.publicKeyOf(bytes(key)))).toBe(`0x${addr}`);
    }
    expect(cases).toHaveLength(2);
  });

  it("recover the senders of their transactions", () => {
    const cases = read<readonly TransactionTest[]>("BasicTests/txtest.json");

    for (const { key, nonce, value, signed } of cases) {
      const transaction = decodeTransaction(bytes(signed));
      expect(transaction).toMatchObject({
        sender: crypto.addressOf(crypto.publicKeyOf(bytes(key))),
        nonce: BigInt(nonce),
        value: BigInt(value),
      });
    }
    expect(cases).toHaveLength(2);
  });

  it("encode the paths of trie nodes", () => {
    const cases = Object.values(read<Record<string, PathTest>>("BasicTests/hexencodetest.json"));

    for (const { seq, term, out } of cases) {
      const path = Uint8Array.from(seq);
      const node = term
        ? ({ kind: "leaf", path, value: Uint8Array.of(1) } as const)
        : ({ kind: "extension", path, child: new Uint8Array(32) } as const);
      const [encoded] = decodeRlp(encodeNode(node));
      expect(encoded).toEqual(bytes(out));
    }
    expect(cases).toHaveLength(12);
  });

  it("produce the genesis block of mainnet", () => {
    const test = read<GenesisHashTest>("BasicTests/genesishashestest.json");

    const { header } = decodeBlock(bytes(test.genesis_rlp_hex));

    expect(keccakHeader(header)).toBe(`0x${test.genesis_hash}`);
    expect(header.stateRoot).toBe(`0x${test.genesis_state_root}`);
  });

  it("produce the genesis blocks of their accounts", async () => {
    const cases = Object.values(
      read<Record<string, GenesisTest>>("GenesisTests/basic_genesis_tests.json"),
    );

    for (const { result, ...json } of cases) {
      const store = await createMemoryStorageDriver().open({ folder: "" });
      const settings = { forks: readForks({}), store, origin: "test" };
      const { header } = await buildGenesisBlock(json, settings);
      expect(toHex(encodeBlock({ header, body: { transactions: [], uncles: [] } }))).toBe(
        `0x${result}`,
      );
    }
    expect(cases).toHaveLength(3);
  });
});

interface KeyTest {
  readonly seed: string;
  readonly key: string;
  readonly addr: string;
}

interface TransactionTest {
  readonly key: string;
  readonly nonce: number;
  readonly value: number;
  readonly signed: string;
}

interface PathTest {
  readonly seq: readonly number[];
  readonly term: boolean;
  readonly out: string;
}

interface GenesisHashTest {
  readonly genesis_rlp_hex: string;
  readonly genesis_state_root: string;
  readonly genesis_hash: string;
}

interface GenesisTest {
  readonly result: string;
}

function read<T>(file: string): T {
  return JSON.parse(readFileSync(join(CONFORMANCE, "ethereum-tests", file), "utf8"));
}

function bytes(hex: string): Uint8Array {
  return parseHex(hex) ?? expect.fail(`not hex: ${hex}`);
}
