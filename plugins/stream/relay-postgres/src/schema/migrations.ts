/** The first form of the tables. */
const FIRST = `
CREATE TABLE cursor (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  genesis_hash bytea NOT NULL,
  stream_id bytea,
  sequence bigint,
  record_hash bytea,
  block_number bigint,
  block_hash bytea,
  first_block bigint,
  balances_from bigint,
  abi_hash bytea,
  committed_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE blocks (
  number bigint PRIMARY KEY,
  hash bytea NOT NULL,
  parent_hash bytea NOT NULL,
  timestamp timestamptz NOT NULL,
  miner bytea NOT NULL,
  gas_limit numeric(20) NOT NULL,
  gas_used numeric(20) NOT NULL,
  base_fee_per_gas numeric(78),
  difficulty numeric(78) NOT NULL,
  state_root bytea NOT NULL,
  transactions_root bytea NOT NULL,
  receipts_root bytea NOT NULL,
  extra_data bytea NOT NULL,
  transaction_count integer NOT NULL
);
CREATE UNIQUE INDEX blocks_hash ON blocks (hash);
CREATE INDEX blocks_timestamp ON blocks (timestamp);

CREATE TABLE transactions (
  block_number bigint NOT NULL,
  transaction_index integer NOT NULL,
  hash bytea NOT NULL,
  type smallint NOT NULL,
  from_address bytea NOT NULL,
  to_address bytea,
  nonce numeric(20) NOT NULL,
  value numeric(78) NOT NULL,
  input bytea NOT NULL,
  gas_limit numeric(20) NOT NULL,
  gas_price numeric(78),
  max_fee_per_gas numeric(78),
  max_priority_fee_per_gas numeric(78),
  PRIMARY KEY (block_number, transaction_index)
);
CREATE INDEX transactions_hash ON transactions (hash);
CREATE INDEX transactions_from ON transactions (from_address, block_number);
CREATE INDEX transactions_to ON transactions (to_address, block_number);

CREATE TABLE receipts (
  block_number bigint NOT NULL,
  transaction_index integer NOT NULL,
  transaction_hash bytea NOT NULL,
  status smallint,
  gas_used numeric(20) NOT NULL,
  cumulative_gas_used numeric(20) NOT NULL,
  effective_gas_price numeric(78) NOT NULL,
  contract_address bytea,
  PRIMARY KEY (block_number, transaction_index)
);
CREATE INDEX receipts_contract ON receipts (contract_address) WHERE contract_address IS NOT NULL;

CREATE TABLE logs (
  block_number bigint NOT NULL,
  log_index integer NOT NULL,
  transaction_index integer NOT NULL,
  transaction_hash bytea NOT NULL,
  address bytea NOT NULL,
  topic0 bytea,
  topic1 bytea,
  topic2 bytea,
  topic3 bytea,
  data bytea NOT NULL,
  PRIMARY KEY (block_number, log_index)
);
CREATE INDEX logs_address ON logs (address, topic0, block_number);
CREATE INDEX logs_topic0 ON logs (topic0, block_number);

CREATE TABLE events (
  block_number bigint NOT NULL,
  log_index integer NOT NULL,
  transaction_hash bytea NOT NULL,
  address bytea NOT NULL,
  contract text NOT NULL,
  name text NOT NULL,
  signature text NOT NULL,
  arguments jsonb NOT NULL,
  PRIMARY KEY (block_number, log_index)
);
CREATE INDEX events_name ON events (name, block_number);
CREATE INDEX events_address ON events (address, block_number);

CREATE TABLE token_transfers (
  block_number bigint NOT NULL,
  log_index integer NOT NULL,
  batch_index integer NOT NULL,
  transaction_hash bytea NOT NULL,
  token bytea NOT NULL,
  standard text NOT NULL,
  operator bytea,
  from_address bytea NOT NULL,
  to_address bytea NOT NULL,
  token_id numeric(78),
  value numeric(78) NOT NULL,
  PRIMARY KEY (block_number, log_index, batch_index)
);
CREATE INDEX token_transfers_token ON token_transfers (token, block_number);
CREATE INDEX token_transfers_from ON token_transfers (from_address, block_number);
CREATE INDEX token_transfers_to ON token_transfers (to_address, block_number);

CREATE TABLE balances (
  block_number bigint NOT NULL,
  account_hash bytea NOT NULL,
  address bytea,
  nonce numeric(20) NOT NULL,
  balance numeric(78) NOT NULL,
  PRIMARY KEY (account_hash, block_number)
);
CREATE INDEX balances_address ON balances (address, block_number);
CREATE INDEX balances_block ON balances (block_number);

CREATE VIEW current_balances AS
  SELECT account_hash, address, nonce, balance, block_number
  FROM balances AS each
  WHERE NOT EXISTS (
    SELECT FROM balances AS later
    WHERE later.account_hash = each.account_hash AND later.block_number > each.block_number
  );
`;

/** The changes that lead to the current tables, in their order; those that were released never change. */
export const MIGRATIONS: readonly string[] = [FIRST];
