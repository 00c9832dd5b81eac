/** The schema; only the type of a block's timestamp depends on how numbers are written. */
export const typeDefs = (writesIntegers: boolean) => `
"20 bytes as hex text."
scalar Address
"An integer of any size as hex text; decimal text and integers are accepted, too."
scalar BigInt
"Bytes as hex text."
scalar Bytes
"32 bytes as hex text; shorter input is left-padded with zeros."
scalar Bytes32
"An unsigned integer of 64 bits; integers, decimal and hex text are accepted."
scalar Long

schema {
  query: Query
  mutation: Mutation
}

type Query {
  "The block with this number or hash; by default the head block."
  block(number: Long, hash: Bytes32): Block
  "The blocks from one number to another, inclusive; by default up to the head block."
  blocks(from: Long, to: Long): [Block!]!
  "The pending transactions."
  pending: Pending!
  "A transaction of the chain or of the pool."
  transaction(hash: Bytes32!): Transaction
  logs(filter: FilterCriteria!): [Log!]!
  gasPrice: BigInt!
  maxPriorityFeePerGas: BigInt!
  "The sync progress; null unless the node is syncing."
  syncing: SyncState
  chainID: BigInt!
  "An account after a block; by default after the head block."
  account(address: Address!, blockNumber: Long): Account!
  "The highest version of the eth protocol; null if the node does not support it."
  protocolVersion: Int
}

type Mutation {
  "Adds a signed transaction to the pool and returns its hash."
  sendRawTransaction(data: Bytes!): Bytes32!
}

type Account {
  address: Address!
  balance: BigInt!
  transactionCount: Long!
  code: Bytes!
  storage(slot: Bytes32!): Bytes32!
}

type Block {
  number: Long!
  hash: Bytes32!
  parent: Block
  nonce: Bytes!
  transactionsRoot: Bytes32!
  transactionCount: Long
  stateRoot: Bytes32!
  receiptsRoot: Bytes32!
  miner(block: Long): Account!
  extraData: Bytes!
  gasLimit: Long!
  gasUsed: Long!
  baseFeePerGas: BigInt
  nextBaseFeePerGas: BigInt
  timestamp: ${writesIntegers ? "BigInt" : "Long"}!
  logsBloom: Bytes!
  mixHash: Bytes32!
  difficulty: BigInt!
  totalDifficulty: BigInt!
  ommerCount: Long
  ommers: [Block]
  ommerAt(index: Long!): Block
  ommerHash: Bytes32!
  transactions: [Transaction!]
  transactionAt(index: Long!): Transaction
  logs(filter: BlockFilterCriteria!): [Log!]!
  "An account after this block."
  account(address: Address!): Account!
  "Executes a call on the state after this block."
  call(data: CallData!): CallResult
  estimateGas(data: CallData!): Long!
  rawHeader: Bytes!
  raw: Bytes!
  withdrawalsRoot: Bytes32
  withdrawals: [Withdrawal!]
  blobGasUsed: Long
  excessBlobGas: Long
}

type Transaction {
  hash: Bytes32!
  nonce: Long!
  index: Long
  from(block: Long): Account!
  to(block: Long): Account
  value: BigInt!
  gasPrice: BigInt!
  maxFeePerGas: BigInt
  maxPriorityFeePerGas: BigInt
  maxFeePerBlobGas: BigInt
  effectiveTip: BigInt
  gas: Long!
  inputData: Bytes!
  block: Block
  status: Long
  gasUsed: Long
  cumulativeGasUsed: Long
  effectiveGasPrice: BigInt
  blobGasUsed: Long
  blobGasPrice: BigInt
  createdContract(block: Long): Account
  logs: [Log!]
  r: BigInt!
  s: BigInt!
  v: BigInt
  yParity: BigInt
  type: Long
  accessList: [AccessTuple!]
  raw: Bytes!
  rawReceipt: Bytes!
  blobVersionedHashes: [Bytes32!]
}

type Log {
  "Index within the block."
  index: Long!
  account(block: Long): Account!
  topics: [Bytes32!]!
  data: Bytes!
  transaction: Transaction!
}

type Pending {
  transactionCount: Long!
  transactions: [Transaction!]
  "Pending transactions are not executed: this is the account after the head block."
  account(address: Address!): Account!
  call(data: CallData!): CallResult
  estimateGas(data: CallData!): Long!
}

type SyncState {
  startingBlock: Long!
  currentBlock: Long!
  highestBlock: Long!
}

type CallResult {
  data: Bytes!
  gasUsed: Long!
  "1 on success, 0 on failure."
  status: Long!
}

type AccessTuple {
  address: Address!
  storageKeys: [Bytes32!]!
}

type Withdrawal {
  index: Long!
  validator: Long!
  address: Address!
  "In gwei."
  amount: Long!
}

input CallData {
  from: Address
  to: Address
  gas: Long
  gasPrice: BigInt
  maxFeePerGas: BigInt
  maxPriorityFeePerGas: BigInt
  value: BigInt
  data: Bytes
}

input BlockFilterCriteria {
  "Any of them; every address if empty."
  addresses: [Address!]
  "For every position any of these topics, or every topic if empty."
  topics: [[Bytes32!]!]
}

input FilterCriteria {
  fromBlock: Long
  toBlock: Long
  addresses: [Address!]
  topics: [[Bytes32!]!]
}
`;
