import {
  type Address,
  type ConsensusEngine,
  definePlugin,
  EMPTY_ROOT,
  getCrypto,
  type Header,
  hexToBytes,
  type Plugin,
  type SealedHeader,
} from "@plinth/core";
import { NO_UNCLES_HASH, sealHeader } from "@plinth/core/blocks";
import { BFT_MIX_HASH, type BftExtraData, BlockForm } from "@plinth/kit-bft";
import consensusClique from "@plinth/plugin-consensus-clique";
import consensusEthash from "@plinth/plugin-consensus-ethash";
import consensusIbft from "@plinth/plugin-consensus-ibft";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { createTestNode, type TestNode } from "@plinth/testing";
import { SIGNERS, type TestSigner } from "./clique-chain.js";

const CODECS = { ibft2: ibftExtraData, qbft: qbftExtraData };

/** A node whose engine can be used directly. */
export interface EngineNode extends AsyncDisposable {
  readonly engine: ConsensusEngine;
  readonly genesis: SealedHeader;
}

/** Starts a node on a genesis file of any engine with seals. */
export async function startEngine(genesis: object): Promise<EngineNode> {
  let engine: ConsensusEngine | undefined;
  const capture: Plugin = definePlugin({
    name: "capture-engine",
    setup({ hooks }) {
      hooks.consensus.engineSelected.tap((selected) => {
        engine = selected.engine as ConsensusEngine;
      });
    },
  });
  const node: TestNode = await createTestNode({
    plugins: [consensusIbft, consensusQbft, consensusClique, consensusEthash, capture],
    genesis,
  });
  if (engine === undefined) throw new Error("no engine was selected");
  return { engine, genesis: node.node.blocks.head(), [Symbol.asyncDispose]: () => node.stop() };
}

/** A genesis file of a BFT chain. */
export function bftGenesis(
  key: keyof typeof CODECS,
  validators: readonly TestSigner[],
  config: object = { [key]: { blockperiodseconds: 1 } },
): object {
  const extraData = CODECS[key].encodeGenesis(addressesOf(validators));
  return {
    config: { chainId: 1337, berlinBlock: 0, ...config },
    difficulty: "0x1",
    gasLimit: "0x1c9c380",
    mixHash: BFT_MIX_HASH,
    extraData: `0x${Buffer.from(extraData).toString("hex")}`,
    alloc: {},
  };
}

/** The inputs of a test header. */
export interface HeaderWish {
  readonly key?: keyof typeof CODECS;
  /** The validators that it lists. */
  readonly listed?: readonly TestSigner[];
  /** Those who seal it; by default those that it lists. */
  readonly sealers?: readonly TestSigner[];
  readonly producer?: TestSigner;
  readonly vote?: BftExtraData["vote"];
  readonly change?: Partial<Header>;
}

/** A header of a block without transactions, with seals. */
export function sealedHeaderOn(parent: SealedHeader, wish: HeaderWish): SealedHeader {
  const { key = "qbft", listed = [], sealers = listed, vote } = wish;
  const form = new BlockForm(CODECS[key]);
  const extra: BftExtraData = {
    vanity: new Uint8Array(32),
    validators: addressesOf(listed),
    vote,
    round: 0,
    seals: [],
  };
  const producer = wish.producer ?? sealers[0] ?? SIGNERS[0];
  const header: Header = {
    parentHash: parent.hash,
    unclesHash: NO_UNCLES_HASH,
    coinbase: producer.address,
    stateRoot: parent.stateRoot,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: new Uint8Array(256),
    difficulty: 1n,
    number: parent.number + 1n,
    gasLimit: parent.gasLimit,
    gasUsed: 0n,
    timestamp: parent.timestamp + 1n,
    extraData: form.codec.encode(extra),
    mixHash: BFT_MIX_HASH,
    nonce: new Uint8Array(8),
    ...wish.change,
  };
  const hash = hexToBytes(form.sealHashOf(header));
  const seals = sealers.map(({ key: secret }) => {
    const { r, s, recovery } = getCrypto().sign(hash, secret);
    return Uint8Array.of(...r, ...s, recovery);
  });
  const sealed = { ...header, extraData: form.codec.encode({ ...extra, seals }) };
  return sealHeader(sealed, form.hashOf(sealed));
}

/** Their addresses, in ascending order. */
export function addressesOf(signers: readonly TestSigner[]): readonly Address[] {
  return signers.map(({ address }) => address).sort();
}
