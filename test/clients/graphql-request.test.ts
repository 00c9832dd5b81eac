import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningNode, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { FRIEND, RICH } from "./accounts.js";
import { clientFolder, isMissing } from "./installed.js";

type Request = (text: string, variables?: object) => Promise<Record<string, never>>;

/** An ether from account 0 of the development chain to account 1. */
const TRANSFER =
  "0xf86d8084773594008252089470997970c51812dc3a010c7d01b50e0d17dc79c8880de0b6b3a764000080820a95a021d249f7b259313e71254b63254fd0d79a1fc79e6a4e93ac11244e4420b423fba036d17cc586ef7b9bc32b18de77b8236f70142ffba93413a5e4b4ccd09e757fb5";
const HEX = expect.stringMatching(/^0x[0-9a-f]*$/);

describe.skipIf(isMissing("graphql-request"))("a development chain seen by graphql-request", () => {
  let folder: TemporaryFolder;
  let node: RunningNode;
  let request: Request;

  beforeAll(async () => {
    folder = temporaryFolder();
    const words = ["--profile=dev", "--graphql-http-enabled"];
    node = await startNode(words, { folder: folder.path });
    const { connect } = await import(join(clientFolder("graphql-request"), "client.mjs"));
    request = connect(node.graphqlUrl);
  });

  afterAll(async () => {
    await node?.stop();
    folder?.[Symbol.dispose]();
  });

  it("sends a transaction and reads it, alone and in its block", async () => {
    const { sendRawTransaction: hash } = await request(
      "mutation Send($data: Bytes!) { sendRawTransaction(data: $data) }",
      { data: TRANSFER },
    );
    while ((await node.rpc("eth_getTransactionReceipt", [hash])) === null);

    const { transaction } = await request(
      "query ($hash: Bytes32!) { transaction(hash: $hash) { status value to { address } block { number } } }",
      { hash },
    );
    expect(transaction).toEqual({
      status: 1,
      value: "0xde0b6b3a7640000",
      to: { address: FRIEND.address.toLowerCase() },
      block: { number: 1 },
    });
    expect(
      await request("{ block(number: 1) { transactionCount transactions { hash } } }"),
    ).toEqual({ block: { transactionCount: 1, transactions: [{ hash }] } });
  });

  it("runs the queries of the product description", async () => {
    const { block } = await request(`{ block {
      number timestamp difficulty totalDifficulty gasUsed gasLimit hash nonce ommerCount logsBloom mixHash ommerHash
      extraData stateRoot receiptsRoot transactionCount transactionsRoot ommers { hash } ommerAt(index: 1) { hash }
      miner { address } account(address: "${RICH.address}") { balance } parent { hash } baseFeePerGas
      call(data: { from: "${RICH.address}", to: "${FRIEND.address}", data: "0x12a7b914" }) { data status }
      estimateGas(data: { from: "${RICH.address}", to: "${FRIEND.address}" })
    } }`);
    expect(block).toMatchObject({
      number: 1,
      timestamp: HEX,
      gasUsed: 21_000,
      call: { data: "0x", status: 1 },
      estimateGas: 21_000,
      ommers: [],
      ommerAt: null,
    });
    expect(await request(`{ account(address: "${FRIEND.address}") { balance code } }`)).toEqual({
      account: { balance: HEX, code: "0x" },
    });
    expect(await request("{ syncing { startingBlock currentBlock highestBlock } }")).toEqual({
      syncing: null,
    });
    expect(
      await request("{ gasPrice pending { transactionCount transactions { hash } } }"),
    ).toEqual({ gasPrice: HEX, pending: { transactionCount: 0, transactions: [] } });
    const logs = `{ logs(filter: { fromBlock: 0, toBlock: 1, addresses: ["${RICH.address}"], topics: [["0x${"00".repeat(32)}"]] })
      { index topics data account { address } transaction { hash } } }`;
    expect(await request(logs)).toEqual({ logs: [] });
  });

  it("rejects with the errors of the node", async () => {
    await expect(request("{ block(number: 99) { number } }")).rejects.toMatchObject({
      response: {
        status: 400,
        data: { block: null },
        errors: [{ message: expect.stringContaining("Block number 99 was not found") }],
      },
    });
  });
});
