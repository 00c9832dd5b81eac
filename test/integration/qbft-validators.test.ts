import type { Address, Hex } from "@plinth/core";
import { ALICE, signTransaction } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { ValidatorMesh } from "../support/validator-mesh.js";

describe("votes", () => {
  it("grow the set from one validator to seven, and back to one", async () => {
    await using mesh = await ValidatorMesh.start({ validators: 1, others: 6 });
    await mesh.untilHeight(1);
    for (let count = 1; count < 7; count++) {
      await vote(mesh, count, count, true);
      expect(await mesh.validators()).toEqual(mesh.addresses.slice(0, count + 1).sort());
    }
    for (let count = 7; count > 1; count--) {
      await vote(mesh, count, count - 1, false);
      expect(await mesh.validators()).toEqual(mesh.addresses.slice(0, count - 1).sort());
    }
    await mesh.untilHeight(Number(mesh.head().number) + 2);
  }, 240_000);

  it("of others stand until more than half agree", async () => {
    await using mesh = await ValidatorMesh.start({ validators: 4, others: 1 });
    const candidate = mesh.address(4);
    const voters = [mesh.address(0), mesh.address(1)].sort();
    for (const index of [0, 1])
      await mesh.node(index).rpc("qbft_proposeValidatorVote", [candidate, true]);
    await mesh.untilHeight(Number(mesh.head().number) + 5);

    const { needed, votes } = await standing(mesh);
    expect(needed).toBe(3);
    expect(votes.map(({ validator }) => validator).sort()).toEqual(voters);
    for (const vote of votes) {
      const block = await mesh.node(3).rpc("eth_getBlockByNumber", [vote.block, false]);
      expect(vote).toMatchObject({ address: candidate, isFor: true });
      expect(block).toMatchObject({ miner: vote.validator });
    }
    await mesh.node(2).rpc("qbft_proposeValidatorVote", [candidate, true]);
    await untilValidators(mesh, mesh.addresses);
    expect(await standing(mesh)).toEqual({ needed: 3, votes: [] });
  }, 60_000);

  it("survive a restart of the node that cast them", async () => {
    await using mesh = await ValidatorMesh.start({ validators: 4, others: 1 });
    for (const index of [0, 1, 2])
      await mesh.node(index).rpc("qbft_proposeValidatorVote", [mesh.address(4), true]);
    await mesh.node(0).restart();

    expect(await mesh.node(0).rpc("qbft_getPendingVotes")).toEqual({ [mesh.address(4)]: true });
    await untilValidators(mesh, mesh.addresses);
  }, 60_000);
});

describe("small sets", () => {
  it.each([1, 2, 3])(
    "of %i continue after all of them were restarted",
    async (validators) => {
      await using mesh = await ValidatorMesh.start({ validators });
      await mesh.untilHeight(2);
      for (let index = 0; index < validators; index++) await mesh.node(index).restart();
      await mesh.untilHeight(Number(mesh.head().number) + 2);
    },
    60_000,
  );
});

describe("transitions", () => {
  it("change the period, the reward and the beneficiary, alone and two at one block", async () => {
    const beneficiary: Address = `0x${"be".repeat(20)}`;
    await using mesh = await ValidatorMesh.start({
      validators: 4,
      transitions: () => [
        { block: 3, blockPeriodSeconds: 3 },
        { block: 5, blockReward: "1000" },
        { block: 7, blockPeriodSeconds: 1, miningBeneficiary: beneficiary },
      ],
    });
    await mesh.untilHeight(8);

    const { blocks } = mesh.node(0).node;
    const times = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n].map(
      (number) => blocks.findHeader(number)?.timestamp ?? 0n,
    );
    const distances = times.slice(1).map((time, index) => time - (times[index] ?? 0n));
    expect(distances).toEqual([1n, 3n, 3n, 3n, 3n, 1n, 1n]);
    const balance = (address: Address, number: bigint) => {
      const header = blocks.findHeader(number);
      return header && (blocks.stateAt(header).findAccount(address)?.balance ?? 0n);
    };
    const author = blocks.findHeader(5n)?.coinbase ?? "0x";
    expect([balance(author, 4n), balance(author, 5n)]).toEqual([0n, 1000n]);
    expect([6n, 7n, 8n].map((number) => balance(beneficiary, number))).toEqual([0n, 1000n, 2000n]);
  }, 60_000);

  it("replace the validators, together with the period", async () => {
    await using mesh = await ValidatorMesh.start({
      validators: 4,
      others: 1,
      transitions: (addresses) => [
        { block: 4, validators: addresses.slice(0, 1) },
        { block: 6, validators: addresses, blockPeriodSeconds: 2 },
      ],
    });
    await mesh.untilHeight(8);

    const validatorsAt = (number: number) =>
      mesh.node(1).rpc("qbft_getValidatorsByBlockNumber", [`0x${number.toString(16)}`]);
    expect(await validatorsAt(3)).toEqual(mesh.addresses.slice(0, 4).sort());
    expect(await validatorsAt(4)).toEqual([mesh.address(0)]);
    expect(await validatorsAt(5)).toEqual([mesh.address(0)]);
    expect(await validatorsAt(6)).toEqual([...mesh.addresses].sort());
  }, 60_000);

  it("switch from votes to a contract and back", async () => {
    await using mesh = await ValidatorMesh.start({
      validators: 4,
      transitions: (addresses) => [
        { block: 3, validatorSelectionMode: "contract", validatorContractAddress: CONTRACT },
        { block: 6, validatorSelectionMode: "blockheader", validators: addresses },
      ],
      runsCode: true,
      alloc: (addresses) => ({ [CONTRACT]: contractOf(addresses.slice(0, 2)) }),
    });
    await mesh.untilHeight(8);

    const extraData = (number: bigint) =>
      mesh.node(0).node.blocks.findHeader(number)?.extraData.length ?? 0;
    // Without validators and votes there are fewer bytes.
    expect(extraData(4n)).toBeLessThan(extraData(2n));
    expect(extraData(7n)).toBeGreaterThan(extraData(4n));
    const named = await Promise.all(
      [2, 3, 5, 6].map((number) =>
        mesh.node(1).rpc("qbft_getValidatorsByBlockNumber", [`0x${number}`]),
      ),
    );
    const [all, two] = [[...mesh.addresses].sort(), mesh.addresses.slice(0, 2).sort()];
    expect(named).toEqual([all, two, two, all]);
  }, 60_000);
});

describe("a contract that determines the validators", () => {
  it("changes them by a transaction", async () => {
    await using mesh = await ValidatorMesh.start({
      validators: 2,
      others: 2,
      listsNone: true,
      runsCode: true,
      qbft: { validatorContractAddress: CONTRACT },
      alloc: (addresses) => ({
        [ALICE.address]: { balance: "0xde0b6b3a7640000" },
        [CONTRACT]: contractOf(addresses.slice(0, 2)),
      }),
    });
    await mesh.untilHeight(2);
    expect(await mesh.validators()).toEqual(mesh.addresses.slice(0, 2).sort());

    // The contract stores its calldata: the number of validators, then each of them.
    const data = [4n, ...mesh.addresses.map(BigInt)].map((word) =>
      word.toString(16).padStart(64, "0"),
    );
    const raw = await signTransaction({
      to: CONTRACT,
      data: `0x${data.join("")}`,
      gasLimit: 500_000n,
      gasPrice: 0n,
    });
    await mesh.node(0).rpc("eth_sendRawTransaction", [raw]);
    await untilValidators(mesh, mesh.addresses);
    await mesh.untilHeight(Number(mesh.head().number) + 4);
  }, 60_000);
});

describe("a contract that returns no validators", () => {
  it("is reported with the remedy at startup, and a transition with validators is one", async () => {
    const transitions: object[] = [];
    await using mesh = await ValidatorMesh.start({
      validators: 2,
      listsNone: true,
      runsCode: true,
      qbft: { validatorContractAddress: CONTRACT },
      transitions: () => transitions,
      alloc: (addresses) => ({ [CONTRACT]: contractOf(addresses) }),
    });
    await mesh.untilHeight(1);
    const none = await signTransaction({
      to: CONTRACT,
      data: `0x${"0".repeat(64)}`,
      gasLimit: 100_000n,
      gasPrice: 0n,
    });
    await mesh.node(0).rpc("eth_sendRawTransaction", [none]);
    await mesh.run(4_000);
    const last = mesh.head().number;
    for (const index of [0, 1]) await mesh.node(index).restart();
    await mesh.run(2_000);

    expect(mesh.head().number).toBe(last);
    const next = last + 1n;
    const entry = `{ "block": ${next}, "validatorselectionmode": "blockheader", "validators": ["0x…"] }`;
    const reason = `getValidators() of ${CONTRACT} after block ${last} returned no list of validators: it named none`;
    const { checks } = await mesh.node(0).node.health();
    const problem = checks.find(({ name }) => name === "production")?.detail;
    expect(problem).toContain(reason);
    expect(problem).toContain(`to continue, add ${entry}`);

    const validators = [...mesh.addresses];
    transitions.push({ block: Number(next), validatorselectionmode: "blockheader", validators });
    for (const index of [0, 1]) await mesh.node(index).restart();
    await mesh.untilHeight(Number(next) + 2);
    expect(await mesh.validators()).toEqual(validators.sort());
  }, 60_000);

  it("stops the chain, and the reason is reported", async () => {
    await using mesh = await ValidatorMesh.start({
      validators: 1,
      listsNone: true,
      runsCode: true,
      qbft: { validatorContractAddress: CONTRACT },
      // It reverts.
      alloc: () => ({ [CONTRACT]: { code: "0x60006000fd" } }),
    });
    await mesh.run(3_000);

    const reason = `getValidators() of ${CONTRACT} after block 0 returned no list of validators: it reverted`;
    expect(mesh.head().number).toBe(0n);
    expect(JSON.stringify(await mesh.node(0).node.health())).toContain(reason);
    await expect(mesh.validators()).rejects.toThrow(reason);
  });
});

const CONTRACT: Address = `0x${"77".repeat(20)}`;
/** The code of `contractOf`, for the EVM. */
const CODE = [
  // With more than four bytes: sstore(i, calldataload(32 * i)) for each word of them.
  "0x3660051160205760005b8060051b80361115601e573581556001016009565b00",
  // Otherwise: return 32, the number of validators, and each address.
  "5b60206000526000548060205260015b81811160465780548160010160051b52600101602f565b5060020160051b6000f3",
].join("");

/**
 * Lets enough of the first validators vote, and waits until it takes effect; then their votes end.
 */
async function vote(
  mesh: ValidatorMesh,
  count: number,
  candidate: number,
  isFor: boolean,
): Promise<void> {
  const voters = Array.from({ length: Math.floor(count / 2) + 1 }, (_, index) => index);
  const address = mesh.address(candidate);
  const before = [...mesh.addresses.slice(0, count)];
  const after = isFor ? [...before, address] : before.filter((each) => each !== address);
  for (const index of voters)
    await mesh.node(index).rpc("qbft_proposeValidatorVote", [address, isFor]);
  await untilValidators(mesh, after);
  for (const index of voters) await mesh.node(index).rpc("qbft_discardValidatorVote", [address]);
}

/** The votes that a node counts which has cast none. */
async function standing(mesh: ValidatorMesh) {
  return (await mesh.node(3).rpc("qbft_getStandingVotes")) as {
    readonly needed: number;
    readonly votes: readonly { validator: string; address: string; block: string }[];
  };
}

async function untilValidators(mesh: ValidatorMesh, wanted: readonly Address[]): Promise<void> {
  const expected = JSON.stringify([...wanted].sort());
  for (let step = 0; step < 600; step++) {
    if (JSON.stringify(await mesh.validators()) === expected) return;
    await mesh.run(100);
  }
  throw new Error(`the validators are ${await mesh.validators()}, not ${expected}`);
}

/**
 * A contract with its validators in storage: slot 0 is their number, the slots after it are the
 * addresses.
 *
 * Called with 4 bytes it returns them; called with more it stores the words of its calldata.
 */
function contractOf(validators: readonly Address[]): object {
  const words = [BigInt(validators.length), ...validators.map(BigInt)];
  const storage = Object.fromEntries(
    words.map((word, slot) => [toWord(BigInt(slot)), toWord(word)]),
  );
  return { code: CODE, storage };
}

function toWord(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
