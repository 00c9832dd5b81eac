// Prints what a developer sees when functions of a contract fail, as JSON.
import { network } from "hardhat";

const { abi, address, cases } = JSON.parse(process.env.PLINTH_FAILURES);

async function messageOf(promise) {
  const error = await promise.then(
    () => new Error("it did not fail"),
    (thrown) => thrown,
  );
  return error.message;
}

const { ethers } = await network.connect();
const [signer] = await ethers.getSigners();
const contract = new ethers.Contract(address, abi, signer);
const found = [];
for (const { name, args } of cases) {
  found.push({
    call: await messageOf(contract[name].staticCall(...args)),
    send: await messageOf(contract[name].send(...args)),
  });
}
process.stdout.write(`FAILURES ${JSON.stringify(found)}\n`);
