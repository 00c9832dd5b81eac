/** A block with one transfer, for the examples of methods. */
export const BLOCK_EXAMPLE = {
  number: "0x1",
  hash: "0x65923fa0344bcbf74eeebdd2572b12df2007495811f8213296b391d1fd9579a0",
  mixHash: "0x0000000000000000000000000000000000000000000000000000000000000000",
  parentHash: "0x220a1b4a4f70fdf138e7391271c4b9d24133e5a18ace8191dc2335a2ae6d6206",
  nonce: "0x0000000000000000",
  sha3Uncles: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
  logsBloom: `0x${"00".repeat(256)}`,
  transactionsRoot: "0x1301fbc8ab15570b40f07cc7f302bbce1ab0592eadc4abe049d951a4959a4036",
  stateRoot: "0x58adc9d7d9dcc53c5fdcef4d44194dd40115c1bf0419793157d044f95a7d2760",
  receiptsRoot: "0x056b23fbba480696b65fe5a59b8f2148a1299103c4f57df839233af2cf4ca2d2",
  miner: "0x0000000000000000000000000000000000000000",
  difficulty: "0x1",
  totalDifficulty: "0x1",
  extraData: "0x",
  baseFeePerGas: "0x7",
  size: "0x268",
  gasLimit: "0x1c9c380",
  gasUsed: "0x5208",
  timestamp: "0x6afa6815",
  uncles: [],
  transactions: ["0x841dde1d0f5a428ed0d33aeefff5dbed2024d07ea7aee0f2e826873a06ccb2c6"],
};

const { totalDifficulty, size, uncles, transactions, ...header } = BLOCK_EXAMPLE;

/** The header of that block. */
export const HEADER_EXAMPLE = header;

/** The receipt of that transfer. */
export const RECEIPT_EXAMPLE = {
  blockHash: "0x65923fa0344bcbf74eeebdd2572b12df2007495811f8213296b391d1fd9579a0",
  blockNumber: "0x1",
  transactionHash: "0x841dde1d0f5a428ed0d33aeefff5dbed2024d07ea7aee0f2e826873a06ccb2c6",
  transactionIndex: "0x0",
  contractAddress: null,
  cumulativeGasUsed: "0x5208",
  from: "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73",
  gasUsed: "0x5208",
  effectiveGasPrice: "0x3b9aca00",
  logs: [],
  logsBloom: `0x${"00".repeat(256)}`,
  status: "0x1",
  to: "0x00000000000000000000000000000000000000b0",
  type: "0x0",
};
