import Web3 from "web3";
import Web3Quorum from "web3js-quorum";

/** The library's requests to a node about private transactions. */
export function connect(url) {
  return new Web3Quorum(new Web3(url)).priv;
}
