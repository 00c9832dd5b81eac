import { type Address, hexToBytes, loadCrypto, PlinthError, parseHex, toHex } from "@plinth/core";
import { decodeTransaction, signAuthorization, signTransaction } from "@plinth/core/blocks";
import {
  type BlockContext,
  type Evm,
  type EvmChain,
  FORKS,
  type Fork,
  type Precompiles,
  RunTooLong,
  type Tracer,
  type WorldState,
} from "@plinth/core/evm";
import { createTestEvm } from "@plinth/testing";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { aBlock, aState, MINER, slot } from "../support/evm-world.js";

const KEY = hexToBytes("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
const SENDER: Address = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const OTHER: Address = "0x627306090abab3a6e1400e9345bc60c78a8bef57";
const CODE: Address = "0x00000000000000000000000000000000000000cc";
const SYSTEM: Address = "0xfffffffffffffffffffffffffffffffffffffffe";
const ETHER = 10n ** 18n;
const CHAIN_ID = 1337n;
/** SEC 2, section 2.4.1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

interface Fields {
  readonly to?: Address;
  readonly value?: bigint;
  readonly data?: string;
  readonly gasLimit?: bigint;
  readonly gasPrice?: bigint;
  readonly nonce?: bigint;
}

beforeAll(() => loadCrypto());

/** What the core relies on in every driver. */
describe.each(["plinth", "ethereumjs"] as const)("the driver %s", (driver) => {
  const createEvm = (chain: EvmChain) => createTestEvm(chain, driver);

  describe("code", () => {
    it.each([
      ["600456", "INVALID_JUMP_DESTINATION"],
      ["60ff56", "INVALID_JUMP_DESTINATION"],
      ["50", "INSUFFICIENT_STACK_ITEMS"],
      ["fe", "INVALID_OPERATION"],
    ])("reports why %s is aborted: %s", async (code, halt) => {
      const state = aState({ [SENDER]: ETHER }, { [CODE]: code });

      const result = await run(state, { to: CODE, gasLimit: 100_000n });

      expect(result).toMatchObject({ outcome: "halted", halt });
    });

    it("passes a tracer a copy of the input of a frame", async () => {
      // Calls OTHER with a word of memory, and changes that word afterwards.
      const code = `60aa60005260006000602060006000 73${OTHER.slice(2)}5af160bb600052`.replace(
        " ",
        "",
      );
      const state = aState({ [SENDER]: ETHER }, { [CODE]: code });
      const inputs: Uint8Array[] = [];
      const tracer: Tracer = { enter: ({ input }) => void inputs.push(input) };

      await run(state, { to: CODE, gasLimit: 100_000n }, {}, tracer);

      expect(inputs.map((input) => input.at(-1))).toEqual([undefined, 0xaa]);
    });

    it("executes system calls without a trace of the caller", async () => {
      // Stores the caller in slot 0.
      const state = aState({}, { [CODE]: "3360005500" });
      const evm = await createEvm({ chainId: CHAIN_ID });
      const block = aBlock({ fork: "cancun", baseFeePerGas: 4n, blobBaseFee: 1n });

      const { outcome } = await evm.runSystemCall(
        { to: CODE, data: new Uint8Array() },
        { block, state },
      );

      expect(outcome).toBe("success");
      expect(state.getStorage(CODE, `0x${"00".repeat(32)}`)).toBe(BigInt(SYSTEM));
      expect(state.findAccount(SYSTEM)).toBeUndefined();
    });

    it("reverts the changes of a system call that fails", async () => {
      const state = aState({}, { [CODE]: "336000555f5ffd" });
      const evm = await createEvm({ chainId: CHAIN_ID });
      const block = aBlock({ fork: "cancun", baseFeePerGas: 4n, blobBaseFee: 1n });

      const { outcome } = await evm.runSystemCall(
        { to: CODE, data: new Uint8Array() },
        { block, state },
      );

      expect(outcome).toBe("reverted");
      expect(state.getStorage(CODE, `0x${"00".repeat(32)}`)).toBe(0n);
    });

    it.each([
      [undefined, "halted"],
      [30_000, "success"],
    ])("keeps a chain's own code size limit: %s", async (maxCodeBytes, outcome) => {
      const state = aState({ [SENDER]: ETHER });
      // Returns 25,000 zero bytes as code.
      const init = "6161a86000f3";
      const limit = maxCodeBytes === undefined ? {} : { maxCodeBytes };

      const result = await run(
        state,
        { data: init, gasLimit: 10_000_000n },
        { gasLimit: 30_000_000n, ...limit },
      );

      expect(result.outcome).toBe(outcome);
    });
  });

  describe("transactions and messages", () => {
    it("transfers value and pays the fee recipient", async () => {
      const state = aState({ [SENDER]: ETHER });

      const result = await run(state, { to: OTHER, value: 5n, gasPrice: 7n });

      expect(result).toMatchObject({ outcome: "success", gasUsed: 21_000n, logs: [] });
      expect(state.findAccount(OTHER)?.balance).toBe(5n);
      expect(state.findAccount(MINER)?.balance).toBe(147_000n);
      expect(state.findAccount(SENDER)).toMatchObject({ nonce: 1n, balance: ETHER - 147_005n });
    });

    it("burns the base fee", async () => {
      const state = aState({ [SENDER]: ETHER });

      await run(state, { to: OTHER, value: 0n, gasPrice: 10n }, { baseFeePerGas: 4n });

      expect(state.findAccount(MINER)?.balance).toBe(21_000n * 6n);
    });

    it("runs fee market transactions", async () => {
      const state = aState({ [SENDER]: ETHER });
      const block = aBlock({ baseFeePerGas: 4n });
      const raw = signTransaction(
        {
          chainId: CHAIN_ID,
          nonce: 0n,
          to: OTHER,
          value: 0n,
          data: new Uint8Array(),
          gasLimit: 21_000n,
          maxFeePerGas: 9n,
          maxPriorityFeePerGas: 2n,
        },
        KEY,
      );
      const evm = await createEvm({ chainId: CHAIN_ID });

      await evm.runTransaction(decodeTransaction(raw, SENDER), { block, state });

      expect(state.findAccount(MINER)?.balance).toBe(42_000n);
    });

    it("creates contracts and stores their code", async () => {
      const state = aState({ [SENDER]: ETHER });
      // Returns the one byte 0xfe as code.
      const init = "60fe60005360016000f3";

      const { createdAddress, outcome } = await run(state, { data: init, gasLimit: 100_000n });

      expect(outcome).toBe("success");
      expect(toHex(state.getCode(createdAddress ?? CODE))).toBe("0xfe");
    });

    it.each([
      ["reverted", "60026000526001601ffd", undefined],
      ["halted", "fe", "INVALID_OPERATION"],
      ["halted", "5b600a56", "INSUFFICIENT_GAS"],
    ])("reports the outcome of code that is %s", async (outcome, code, halt) => {
      const state = aState({ [SENDER]: ETHER }, { [CODE]: `600160005560006000a0${code}` });

      const result = await run(state, { to: CODE, gasLimit: 60_000n });

      expect(result).toMatchObject({ outcome, logs: [], ...(halt === undefined ? {} : { halt }) });
      expect(state.getStorage(CODE, slot(0))).toBe(0n);
      expect(state.findAccount(SENDER)?.nonce).toBe(1n);
    });

    it("stores, clears, refunds and logs", async () => {
      const state = aState({ [SENDER]: ETHER }, { [CODE]: "600035600055600160005260206000a000" });

      const first = await run(state, { to: CODE, data: word(7), gasLimit: 100_000n });
      const second = await run(state, { to: CODE, data: word(0), gasLimit: 100_000n, nonce: 1n });

      expect(first.logs).toEqual([{ address: CODE, topics: [], data: parseHex(word(1)) }]);
      expect(state.getStorage(CODE, slot(0))).toBe(0n);
      // EIP-3529: at most a fifth of the gas used is refunded.
      expect(second.gasUsed).toBeLessThan(first.gasUsed);
    });

    it("provides the values of its block", async () => {
      // Stores NUMBER, PREVRANDAO, BLOCKHASH(1), CHAINID.
      const code = "4360005544600155600140600255466003550000";
      const state = aState({ [SENDER]: ETHER }, { [CODE]: code });

      await run(state, { to: CODE, gasLimit: 200_000n }, { fork: "shanghai" });

      expect([0, 1, 2, 3].map((index) => state.getStorage(CODE, slot(index)))).toEqual([
        2n,
        0x77n,
        0x1111n,
        CHAIN_ID,
      ]);
    });

    it.each(FORKS.map((fork) => [fork]))("runs under the rules of %s", async (fork) => {
      const state = aState({ [SENDER]: ETHER });

      const { gasUsed } = await run(state, { to: OTHER, value: 1n, gasPrice: 10n }, { fork });

      expect(gasUsed).toBe(21_000n);
    });

    it.each([
      ["an invalid nonce", { nonce: 5n }],
      ["more value than available", { value: 2n * ETHER }],
      ["less gas than it needs", { gasLimit: 20_000n }],
    ])("rejects a transaction with %s and does not change the state", async (_, fields) => {
      const state = aState({ [SENDER]: ETHER });

      await expect(run(state, { to: OTHER, ...fields })).rejects.toThrow();

      expect(state.findAccount(SENDER)).toMatchObject({ nonce: 0n, balance: ETHER });
      expect(state.findAccount(OTHER)).toBeUndefined();
    });

    it.each<[string, Fork]>([
      ["before fee markets", "istanbul"],
      ["with a base fee", "london"],
    ])("runs messages of any sender as transactions, %s", async (_, fork) => {
      const state = aState({ [SENDER]: ETHER }, { [CODE]: "602a60005260206000f3" });

      const result = await send(state, { from: SENDER, to: CODE }, fork);

      expect(toHex(result.returnValue)).toBe(word(42));
      expect(result.gasUsed).toBe(21_018n);
    });

    it("runs messages of contracts, which keep their code", async () => {
      const state = aState({ [CODE]: ETHER }, { [CODE]: "602a60005260206000f3" });

      const result = await send(state, { from: CODE, to: CODE }, "london");

      expect(toHex(result.returnValue)).toBe(word(42));
      expect(state.getCode(CODE)).toHaveLength(10);
    });
  });

  describe("code that runs bare", () => {
    const CREATED: Address = "0x00000000000000000000000000000000000000c1";
    const GAS = 2n ** 63n - 1n;

    async function runBare(
      state: WorldState,
      { to, code = "" }: { readonly to?: Address; readonly code?: string },
      isReadOnly?: (address: Address) => boolean,
    ) {
      const evm = await createEvm({ chainId: CHAIN_ID });
      return evm.runMessage(
        {
          from: SENDER,
          ...(to === undefined ? {} : { to }),
          data: hexToBytes(code),
          value: 0n,
          gasLimit: GAS,
          maxFeePerGas: 9n,
          maxPriorityFeePerGas: 9n,
        },
        {
          block: aBlock({ baseFeePerGas: 4n }),
          state: isReadOnly === undefined ? state : { ...state, isReadOnly },
          bare: { contractAddress: CREATED },
        },
      );
    }

    it("has all of the gas, and no account pays or counts", async () => {
      // Returns GAS and GASPRICE.
      const state = aState({}, { [CODE]: "5a6000523a60205260406000f3" });

      const { outcome, returnValue } = await runBare(state, { to: CODE });

      expect(outcome).toBe("success");
      const [gas, price] = [returnValue.slice(0, 32), returnValue.slice(32)];
      expect(BigInt(toHex(gas))).toBe(GAS - 2n);
      expect(BigInt(toHex(price))).toBe(9n);
      expect(state.findAccount(SENDER)?.nonce ?? 0n).toBe(0n);
      expect(state.findAccount(MINER)).toBeUndefined();
    });

    it("creates a contract at the given address", async () => {
      const state = aState({});
      // Returns the one byte 0xfe as code.
      const { createdAddress } = await runBare(state, { code: "60fe60005360016000f3" });

      expect(createdAddress).toBe(CREATED);
      expect(toHex(state.getCode(CREATED))).toBe("0xfe");
      expect(state.findAccount(CREATED)?.nonce).toBe(1n);
    });

    it("keeps empty accounts, and contracts that destroy themselves", async () => {
      // Destroys itself in favor of OTHER.
      const state = aState({}, { [CODE]: `73${OTHER.slice(2)}ff` });

      await runBare(state, { to: CODE });

      expect(state.findAccount(OTHER)).toMatchObject({ nonce: 0n, balance: 0n });
      expect(state.getCode(CODE)).toHaveLength(22);
    });

    it("halts when it destroys itself in favor of a read-only account", async () => {
      const state = aState({ [OTHER]: ETHER }, { [CODE]: `73${OTHER.slice(2)}ff` });

      const { outcome, halt } = await runBare(state, { to: CODE }, (address) => address === OTHER);

      expect({ outcome, halt }).toEqual({ outcome: "halted", halt: "ILLEGAL_STATE_CHANGE" });
    });
  });

  describe("precompiled contracts", () => {
    const BLAKE2F: Address = "0x0000000000000000000000000000000000000009";

    it("are accounts without code before their fork", async () => {
      const state = aState({ [SENDER]: ETHER });
      const data = `0000000c${"00".repeat(209)}`;

      const before = await run(
        state,
        { to: BLAKE2F, data, gasLimit: 100_000n },
        { fork: "byzantium" },
      );
      const after = await run(
        state,
        { to: BLAKE2F, data, gasLimit: 100_000n, nonce: 1n },
        { fork: "istanbul" },
      );

      expect(before.returnValue).toHaveLength(0);
      expect(after.returnValue).toHaveLength(64);
    });

    it.each([
      ["a run is too long", { maxRunMs: 20 }, new RunTooLong(20)],
      [
        "one of the chain's own throws an error of the node",
        { precompilesAt: (): Precompiles => new Map([[BLAKE2F, throwing]]) },
        new PlinthError("STOPPED", { message: "stopped" }),
      ],
    ])("end the run when %s", async (_, settings, error) => {
      const evm = await createEvm({ chainId: CHAIN_ID, ...settings });
      const state = aState({ [SENDER]: ETHER });

      // As many rounds as fit into the field.
      const result = evm.runMessage(
        {
          from: SENDER,
          to: BLAKE2F,
          data: hexToBytes(`ffffffff${"00".repeat(209)}`),
          value: 0n,
          gasLimit: 2n ** 33n,
          maxFeePerGas: 0n,
          maxPriorityFeePerGas: 0n,
        },
        { block: aBlock(), state },
      );

      await expect(result).rejects.toThrow(error);
    });

    function throwing(): never {
      throw new PlinthError("STOPPED", { message: "stopped" });
    }

    it("of the chain replace those of the fork", async () => {
      const own: Precompiles = new Map([
        [BLAKE2F, () => ({ gasUsed: 1n, returnValue: Uint8Array.of(7) })],
      ]);
      const evm = await createEvm({ chainId: CHAIN_ID, precompilesAt: () => own });
      const state = aState({ [SENDER]: ETHER });

      const result = await sendWith(evm, state, { from: SENDER, to: BLAKE2F });

      expect(toHex(result.returnValue)).toBe("0x07");
    });
  });

  describe.each([
    ["2^53 - 1", 2n ** 53n - 1n],
    ["2^53 + 1", 2n ** 53n + 1n],
    ["2^64 - 1", 2n ** 64n - 1n],
    ["2^200 + 1", 2n ** 200n + 1n],
  ])("a chain id of %s", (_, chainId) => {
    const block = { fork: "prague", baseFeePerGas: 0n, blobBaseFee: 1n } as const;
    /** Returns CHAINID. */
    const RETURNS_ID = "4660005260206000f3";
    const fields = { nonce: 0n, gasLimit: 200_000n, to: CODE, value: 0n, data: new Uint8Array() };

    it("is visible to code", async () => {
      const evm = await createEvm({ chainId });
      const state = aState({ [SENDER]: ETHER }, { [CODE]: RETURNS_ID });

      const { returnValue } = await sendWith(evm, state, { from: SENDER, to: CODE }, "prague");

      expect(BigInt(toHex(returnValue))).toBe(chainId);
    });

    it.each([
      ["with EIP-155", { gasPrice: 1n }],
      ["with an access list", { gasPrice: 1n, accessList: [] }],
      ["with a fee market", { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }],
    ])("runs transactions %s", async (_, fees) => {
      const evm = await createEvm({ chainId });
      const state = aState({ [SENDER]: ETHER }, { [CODE]: RETURNS_ID });
      const raw = signTransaction({ ...fields, ...fees, chainId }, KEY);

      const { returnValue } = await evm.runTransaction(decodeTransaction(raw, SENDER), {
        block: aBlock(block),
        state,
      });

      expect(BigInt(toHex(returnValue))).toBe(chainId);
    });

    it("runs unprotected transactions", async () => {
      const evm = await createEvm({ chainId });
      const state = aState({ [SENDER]: ETHER }, { [CODE]: RETURNS_ID });
      const raw = signTransaction({ ...fields, gasPrice: 1n, chainId: undefined }, KEY);

      const run = evm.runTransaction(decodeTransaction(raw, SENDER), {
        block: aBlock(block),
        state,
      });

      await expect(run).resolves.toMatchObject({ outcome: "success" });
    });

    it("applies to authorizations (EIP-7702)", async () => {
      const evm = await createEvm({ chainId });
      const state = aState({ [SENDER]: ETHER }, { [CODE]: RETURNS_ID });
      const authorize = (id: bigint, nonce: bigint) =>
        signAuthorization({ chainId: id, address: CODE, nonce }, KEY);
      const transact = (nonce: bigint, id: bigint) => {
        const authorizationList = [authorize(id, nonce + 1n)];
        const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
        const raw = signTransaction({ ...fields, ...fees, nonce, chainId, authorizationList }, KEY);
        return evm.runTransaction(decodeTransaction(raw, SENDER), { block: aBlock(block), state });
      };

      await transact(0n, chainId - 1n);
      const others = state.getCode(SENDER);
      await transact(1n, chainId);

      expect(others).toHaveLength(0);
      expect(toHex(state.getCode(SENDER))).toBe(`0xef0100${CODE.slice(2)}`);
    });

    it.each([
      ["r is 0", { r: 0n }],
      ["s is 0", { s: 0n }],
      ["r is the order of the curve", { r: ORDER }],
      // Modulo n it is 1, which belongs to a key.
      ["r is above the order", { r: ORDER + 1n }],
      ["r has all bits", { r: 2n ** 256n - 1n }],
      ["s is the order of the curve", { s: ORDER }],
      ["s is above the order", { s: ORDER + 1n }],
    ])("skips an authorization whose %s (EIP-7702)", async (_, change) => {
      const evm = await createEvm({ chainId });
      const state = aState({ [SENDER]: ETHER }, { [CODE]: RETURNS_ID });
      const signed = { r: 1n, s: 1n, yParity: 0n, chainId, address: CODE, nonce: 0n, ...change };
      const raw = signTransaction(
        {
          ...fields,
          maxFeePerGas: 1n,
          maxPriorityFeePerGas: 1n,
          chainId,
          authorizationList: [signed],
        },
        KEY,
      );
      const setCode = vi.spyOn(state, "setCode");

      const run = evm.runTransaction(decodeTransaction(raw, SENDER), {
        block: aBlock(block),
        state,
      });
      await expect(run).resolves.toMatchObject({ outcome: "success" });
      expect(setCode).not.toHaveBeenCalled();
    });

    it("accepts an authorization with the smallest possible r and s (EIP-7702)", async () => {
      const evm = await createEvm({ chainId });
      const state = aState({ [SENDER]: ETHER }, { [CODE]: RETURNS_ID });
      const signed = { r: 1n, s: 1n, yParity: 0n, chainId, address: CODE, nonce: 0n };
      const raw = signTransaction(
        {
          ...fields,
          maxFeePerGas: 1n,
          maxPriorityFeePerGas: 1n,
          chainId,
          authorizationList: [signed],
        },
        KEY,
      );
      const setCode = vi.spyOn(state, "setCode");

      await evm.runTransaction(decodeTransaction(raw, SENDER), { block: aBlock(block), state });
      expect(setCode).toHaveBeenCalledOnce();
    });
  });

  async function send(state: WorldState, message: { from: Address; to: Address }, fork: Fork) {
    return sendWith(await createEvm({ chainId: CHAIN_ID }), state, message, fork);
  }

  function sendWith(
    evm: Evm,
    state: WorldState,
    message: { from: Address; to: Address },
    fork: Fork = "london",
  ) {
    const fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
    return evm.runMessage(
      { ...message, ...fees, data: new Uint8Array(), value: 0n, gasLimit: 100_000n },
      { block: aBlock({ fork }), state },
    );
  }

  async function run(
    state: WorldState,
    fields: Fields,
    block: Partial<BlockContext> = {},
    tracer: Tracer = {},
  ) {
    const context = aBlock(block);
    const { to, value = 0n, data = "", gasLimit = 21_000n, gasPrice = 10n, nonce = 0n } = fields;
    const raw = signTransaction(
      { chainId: undefined, nonce, to, value, data: hexToBytes(data), gasLimit, gasPrice },
      KEY,
    );
    const evm = await createEvm({ chainId: CHAIN_ID });
    const on = { block: context, state, tracer };
    return evm.runTransaction(decodeTransaction(raw, SENDER), on);
  }
});

function word(value: number): string {
  return slot(value);
}
