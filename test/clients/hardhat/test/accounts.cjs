const {
  impersonateAccount,
  setBalance,
  stopImpersonatingAccount,
} = require("@nomicfoundation/hardhat-network-helpers");
const { expect } = require("chai");
const { ethers } = require("hardhat");

const ONE_ETHER = ethers.parseEther("1");
/** An account without a known key. */
const STRANGER = "0x00000000000000000000000000000000000A11cE";

describe("an account", () => {
  /** No fixture: going back to a snapshot does not bring back who is impersonated. */
  async function impersonateStranger() {
    const [, friend] = await ethers.getSigners();
    await setBalance(STRANGER, ONE_ETHER);
    await impersonateAccount(STRANGER);
    return { friend, stranger: await ethers.getSigner(STRANGER) };
  }

  it("has the balance that was set", async () => {
    await impersonateStranger();

    expect(await ethers.provider.getBalance(STRANGER)).to.equal(ONE_ETHER);
  });

  it("sends without a key while it is impersonated", async () => {
    const { friend, stranger } = await impersonateStranger();

    await expect(stranger.sendTransaction({ to: friend, value: 5n })).to.changeEtherBalance(
      friend,
      5n,
    );
  });

  it("sends no more when it no longer is", async () => {
    const { friend, stranger } = await impersonateStranger();

    await stopImpersonatingAccount(STRANGER);

    await expect(stranger.sendTransaction({ to: friend, value: 5n })).to.be.rejected;
  });

  it("cannot send more than it has", async () => {
    const { friend, stranger } = await impersonateStranger();

    const sent = stranger.sendTransaction({ to: friend, value: ONE_ETHER });

    await expect(sent).to.be.rejectedWith(/funds/);
  });

  it("cannot use a nonce twice", async () => {
    const { friend, stranger } = await impersonateStranger();
    const nonce = await stranger.getNonce();
    await stranger.sendTransaction({ to: friend, value: 1n, nonce });

    const again = stranger.sendTransaction({ to: friend, value: 2n, nonce });

    await expect(again).to.be.rejectedWith(/nonce too low/i);
  });
});
