import { option, optionKinds } from "@plinth/core";

/** Options of the relay. */
export const options = {
  relayPostgresUrl: option.text({
    summary:
      "Writes the chain into this PostgreSQL database: postgres://USER@HOST:PORT/DATABASE, or pglite:FOLDER for an embedded one. Needs --changes-enabled.",
  }),
  relayPostgresPasswordFile: option.path({
    summary: "File with the password for the database; the variable PGPASSWORD by default.",
  }),
  relayPostgresSchema: option.text({
    summary: "Schema with the tables; created if it is missing.",
    default: "plinth",
    validate: (name) =>
      /^(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,49}$/.test(name)
        ? undefined
        : "expected at most 50 lower-case letters, digits and underscores, beginning with a letter, and not a name of PostgreSQL (pg_…)",
  }),
  relayPostgresAbiFiles: option.list({
    summary:
      "ABI files, or artifacts of Foundry, Hardhat or Truffle, whose events are decoded; events of earlier files win.",
    of: optionKinds.path(),
  }),
  relayPostgresBatchBlocks: option.integer({
    summary: "Maximum number of blocks that are committed together while the relay is behind.",
    default: 1000,
    min: 1,
    max: 100_000,
  }),
  relayPostgresMaxLag: option.integer({
    summary:
      "Number of blocks that the database may be behind before /readiness reports the node as not ready; 0 for no limit.",
    default: 0,
    min: 0,
    max: 1_000_000_000,
  }),
};
