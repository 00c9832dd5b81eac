import { describe, expect, it } from "vitest";
import { logQuery } from "./log-query.js";

const ADDRESS = `0x${"ab".repeat(20)}`;
const OTHER = `0x${"cd".repeat(20)}`;
const TOPIC = `0x${"01".repeat(32)}`;
const ANOTHER = `0x${"02".repeat(32)}`;

describe("a filter object", () => {
  it("selects every log of the head by default", () => {
    expect(logQuery.decode({})).toEqual({
      criteria: { addresses: [], topics: [] },
      fromBlock: "latest",
      toBlock: "latest",
      blockHash: undefined,
    });
  });

  it.each([
    [{ address: ADDRESS }, [ADDRESS]],
    [{ address: [ADDRESS, OTHER] }, [ADDRESS, OTHER]],
    [{ addresses: [ADDRESS] }, [ADDRESS]],
    [{ address: ADDRESS, addresses: [OTHER] }, [ADDRESS, OTHER]],
    [{ address: [] }, []],
    [{ address: null }, []],
  ])("accepts addresses as %j", (json, addresses) => {
    expect(logQuery.decode(json).criteria.addresses).toEqual(addresses);
  });

  it.each([
    [[], []],
    [null, []],
    [TOPIC, [[TOPIC]]],
    [[TOPIC], [[TOPIC]]],
    [
      [null, TOPIC],
      [[], [TOPIC]],
    ],
    [[[TOPIC, ANOTHER]], [[TOPIC, ANOTHER]]],
    [[[]], [[]]],
    [[[TOPIC, null]], [[]]],
    [
      [TOPIC, null],
      [[TOPIC], []],
    ],
  ])("accepts topics as %j", (topics, expected) => {
    expect(logQuery.decode({ topics }).criteria.topics).toEqual(expected);
  });

  it.each([
    [{ fromBlock: "earliest", toBlock: "0xA" }, "earliest", 10n],
    [{ fromBlock: "010", toBlock: 12 }, 10n, 12n],
    [{ toBlock: "Pending" }, "latest", "pending"],
  ])("has the range of %j", (json, fromBlock, toBlock) => {
    expect(logQuery.decode(json)).toMatchObject({ fromBlock, toBlock });
  });

  it.each(["blockHash", "blockhash"])("selects one block by %s", (name) => {
    expect(logQuery.decode({ [name]: TOPIC }).blockHash).toBe(TOPIC);
  });

  it("ignores unknown members", () => {
    expect(logQuery.decode({ foo: 1 }).criteria.addresses).toEqual([]);
  });

  it.each([
    undefined,
    null,
    "latest",
    [{}],
    { address: "bob" },
    { address: [null] },
    { addresses: ADDRESS },
    { topics: ["0x01"] },
    { topics: [[[TOPIC]]] },
    { topics: {} },
    { fromBlock: TOPIC },
    { fromBlock: {} },
    { toBlock: "newest" },
    { toBlock: "0x8000000000000000" },
    { blockHash: "0x01" },
    { blockHash: TOPIC, fromBlock: "0x0" },
    { blockhash: TOPIC, toBlock: "latest" },
  ])("is rejected with its own message if it is %j", (json) => {
    expect(() => logQuery.decode(json, "filter")).toThrowError(
      expect.objectContaining({ text: "Invalid filter params" }),
    );
  });

  it.each([
    { fromBlock: "0x1", toBlock: "latest", address: ADDRESS, topics: [null, TOPIC] },
    { blockHash: TOPIC },
  ])("%j round-trips", (json) => {
    const query = logQuery.decode(json);

    expect(logQuery.decode(logQuery.encode(query))).toEqual(query);
  });
});
