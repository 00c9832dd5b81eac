// A QBFT chain of four validators whose blocks are made here, one after the other: for measurements of long chains.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { getCrypto, hexToBytes, loadCrypto, parseHex, toHex } from "@plinth/core";
import { decodeTransaction, signTransaction } from "@plinth/core/blocks";
import { BlockForm } from "@plinth/kit-bft";
import { createNode } from "@plinth/node";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import evmPlinth from "@plinth/plugin-evm-plinth";
import keysFile from "@plinth/plugin-keys-file";
import storageLevel from "@plinth/plugin-storage-level";

const SENDER = parseHex("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
/** Of all transactions. */
export const SENDER_ADDRESS = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const WRITER = "0x00000000000000000000000000000000000000aa";
const SLOTS_PER_CALL = 5;
/** Sets five slots to 1, from the one that the input names on. */
const WRITER_CODE = `0x${[0, 1, 2, 3, 4].map((at) => `6001600${at}6000350155`).join("")}00`;
const MIX_HASH = "0x63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365";

/** Private keys of the validators. */
export const VALIDATORS = [1, 2, 3, 4].map((each) => digest(`validator ${each}`));

/**
 * Makes the chain in a data folder, or continues what is there; returns its genesis file.
 *
 * Its transactions send to `accounts` accounts and write `slots` slots of one contract, evenly spread over the blocks, and
 * then do so again.
 */
export function makeSealedChain(folder, { blocks, perBlock, accounts, slots }) {
  const calls = Math.ceil(slots / SLOTS_PER_CALL);
  const describe = (nonce) => {
    const turn = nonce % (accounts + calls);
    return turn < accounts ? transferTo(turn) : writeSlots(turn - accounts);
  };
  return makeSealedBlocks(folder, { blocks, perBlock, describe });
}

/**
 * The same with other transactions: `describe` returns their fields by nonce; `config` and `alloc` are those of the genesis
 * file, besides what every such chain has.
 */
export async function makeSealedBlocks(
  folder,
  { blocks, perBlock, describe, config = { berlinBlock: 0 }, alloc = {} },
) {
  await loadCrypto();
  const genesisFile = join(folder, "genesis.json");
  writeFileSync(genesisFile, JSON.stringify(genesisOf(config, alloc)));
  const keyFile = join(folder, "key");
  writeFileSync(keyFile, VALIDATORS[0].toString("hex"));
  const dataPath = join(folder, "data");
  const plugins = [storageLevel, evmPlinth, consensusQbft, keysFile];
  const options = { genesisFile, dataPath, nodePrivateKeyFile: keyFile };
  const node = await createNode({ plugins, options });
  await node.open();
  const form = new BlockForm(qbftExtraData);
  const made = Number(node.blocks.head().number);
  let nonce = made * perBlock;
  for (let number = made + 1; number <= blocks; number++) {
    const candidates = Array.from({ length: perBlock }, () => {
      const what = describe(nonce);
      const fields = { chainId: 1337n, nonce: BigInt(nonce++), gasPrice: 0n };
      return decodeTransaction(signTransaction({ ...fields, ...what }, SENDER));
    });
    const built = await node.blocks.build({ timestamp: BigInt(number), candidates });
    if (built.block.body.transactions.length !== perBlock) throw new Error("a block is not full");
    const header = seal(form, built.block.header);
    await node.blocks.submit({ ...built, block: { ...built.block, header } });
    if (number % 10_000 === 0) console.log(`made ${number.toLocaleString("en")} blocks`);
  }
  await node.stop();
  return { genesisFile, dataPath, keyFile };
}

function seal(form, header) {
  const hash = hexToBytes(form.sealHashOf(header));
  const seals = VALIDATORS.map((key) => {
    const { r, s, recovery } = getCrypto().sign(hash, key);
    return Uint8Array.of(...r, ...s, recovery);
  });
  return {
    ...header,
    extraData: form.codec.encode({ ...form.codec.decode(header.extraData), seals }),
  };
}

function transferTo(account) {
  const to = toHex(digest(`account ${account}`).subarray(0, 20));
  return { to, value: 1n, gasLimit: 21_000n, data: new Uint8Array() };
}

function writeSlots(call) {
  const data = digest(`slot ${call}`);
  return { to: WRITER, value: 0n, gasLimit: 200_000n, data };
}

function genesisOf(config, alloc) {
  const addresses = VALIDATORS.map((key) =>
    getCrypto().addressOf(getCrypto().publicKeyOf(key)),
  ).sort();
  return {
    config: { chainId: 1337, ...config, qbft: { blockperiodseconds: 1, epochlength: 30_000 } },
    difficulty: "0x1",
    gasLimit: "0x1fffffffffffff",
    mixHash: MIX_HASH,
    extraData: toHex(qbftExtraData.encodeGenesis(addresses)),
    alloc: {
      ...alloc,
      [SENDER_ADDRESS]: { balance: "0xffffffffffffffff" },
      [WRITER]: { code: WRITER_CODE },
    },
  };
}

function digest(text) {
  return createHash("sha256").update(text).digest();
}
