import { aCase, contract, data, OTHER_CODE, tx, word } from "./build.mjs";
import { SYSTEM_CONTRACTS } from "./system-contracts.mjs";

const fork = "Prague";
const WITHDRAWALS = "0x00000961ef480eb55e80d19ad83579a64c007002";
const CONSOLIDATIONS = "0x0000bbddc7ce488642fb579f8b00f3a590007251";
const DEPOSITS = "0x00000000219ab540356cbb839cbe05303d7705fa";
const DEPOSIT_TOPIC = "649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5";

const layout = [
  [160, 48],
  [256, 32],
  [320, 8],
  [384, 96],
  [512, 8],
];
/** The data of a deposit event. */
function aDeposit(fill) {
  const bytes = Buffer.alloc(576);
  for (const [index, [offset, length]] of layout.entries()) {
    bytes.writeUInt32BE(offset, index * 32 + 28);
    bytes.writeUInt32BE(length, offset + 28);
    bytes.fill(fill + index, offset + 32, offset + 32 + length);
  }
  return bytes.toString("hex");
}
const EMIT_DEPOSIT = `365f5f377f${DEPOSIT_TOPIC}365fa1`;
const deposit = (name, inputs, code = EMIT_DEPOSIT, address = DEPOSITS) =>
  aCase({
    name,
    eip: 6110,
    fork,
    alloc: { [address]: contract(code) },
    transactions: inputs.map((input, nonce) =>
      tx({ to: address, nonce: BigInt(nonce), data: data(input) }),
    ),
  });
const SHORT_DEPOSIT = aDeposit(1).slice(0, -64);
/** EIP-6110: deposits. */
export const deposits = [
  deposit("one deposit", [aDeposit(1)]),
  deposit("three deposits in their order", [aDeposit(1), aDeposit(20), aDeposit(40)]),
  deposit("an event of another contract", [aDeposit(1)], EMIT_DEPOSIT, OTHER_CODE),
  deposit(
    "another event of the contract",
    [aDeposit(1)],
    EMIT_DEPOSIT.replace(DEPOSIT_TOPIC, word(1)),
  ),
  deposit("an event without topics", [aDeposit(1)], "365f5f37365fa0"),
  deposit("a deposit that is too short", [SHORT_DEPOSIT]),
  deposit("a deposit with a wrong offset", [aDeposit(1).replace(word(160), word(161))]),
];

const PUBKEY = "ab".repeat(48);
const withdrawalRequest = (amount) => `${PUBKEY}${word(amount, 8)}`;
const requests = (eip, name, { to, inputs, value = 1n, alloc, without }) =>
  aCase({
    name,
    eip,
    fork,
    alloc,
    without,
    transactions: inputs.map((input, nonce) =>
      tx({ to, nonce: BigInt(nonce), value, data: data(input) }),
    ),
  });
const many = (count, input) => Array.from({ length: count }, (_, index) => input(index));
const FAILING = { ...contract("5f5ffd") };
/** The contract with an excess of requests, which raises the fee. */
const excess = (count) => ({
  [WITHDRAWALS]: { ...SYSTEM_CONTRACTS[WITHDRAWALS], storage: { [word(0)]: `0x${word(count)}` } },
});

/** EIP-7002: withdrawal requests. */
export const withdrawals = [
  ["a request", { inputs: [withdrawalRequest(1)] }],
  ["a request without its fee", { inputs: [withdrawalRequest(1)], value: 0n }],
  ["a request that is too short", { inputs: [PUBKEY] }],
  ["more requests than a block hands over", { inputs: many(17, withdrawalRequest) }],
  ["a fee that the excess has raised", { inputs: [withdrawalRequest(1)], alloc: excess(100) }],
  [
    "the fee of the excess is paid",
    { inputs: [withdrawalRequest(1)], alloc: excess(40), value: 99n },
  ],
  [
    "the contract before its first system call",
    { inputs: [withdrawalRequest(1)], alloc: excess(2n ** 256n - 1n) },
  ],
  ["no contract", { inputs: [withdrawalRequest(1)], without: [WITHDRAWALS] }],
  ["a contract that fails", { inputs: [], alloc: { [WITHDRAWALS]: FAILING } }],
  [
    "a contract that answers one byte",
    { inputs: [], alloc: { [WITHDRAWALS]: contract("60015ff3") } },
  ],
].map(([name, settings]) => requests(7002, name, { to: WITHDRAWALS, ...settings }));

const consolidation = (byte) => `${PUBKEY}${word(byte, 1).repeat(48)}`;
/** EIP-7251: consolidation requests. */
export const consolidations = [
  ["a request", { inputs: [consolidation(1)] }],
  ["more requests than a block hands over", { inputs: many(3, consolidation) }],
  ["a request without its fee", { inputs: [consolidation(1)], value: 0n }],
  ["no contract", { inputs: [], without: [CONSOLIDATIONS] }],
  [
    "a contract that runs out of gas",
    { inputs: [], alloc: { [CONSOLIDATIONS]: contract("5b5f56") } },
  ],
].map(([name, settings]) => requests(7251, name, { to: CONSOLIDATIONS, ...settings }));

/** EIP-7685: requests of all types. */
export const allRequests = [
  aCase({
    name: "requests of all three types in their order",
    eip: 7685,
    fork,
    alloc: { [DEPOSITS]: contract(EMIT_DEPOSIT) },
    transactions: [
      tx({ to: CONSOLIDATIONS, nonce: 0n, value: 1n, data: data(consolidation(9)) }),
      tx({ to: WITHDRAWALS, nonce: 1n, value: 1n, data: data(withdrawalRequest(9)) }),
      tx({ to: DEPOSITS, nonce: 2n, data: data(aDeposit(1)) }),
    ],
  }),
  aCase({ name: "no requests", eip: 7685, fork, transactions: [] }),
  aCase({
    name: "a request of a transaction that reverts",
    eip: 7685,
    fork,
    alloc: { [DEPOSITS]: contract(`${EMIT_DEPOSIT}5f5ffd`) },
    transactions: [tx({ to: DEPOSITS, data: data(aDeposit(1)) })],
  }),
];
