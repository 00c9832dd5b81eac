// Tests over OpenZeppelin's contracts, for every version of Hardhat: `openChain` gives them its ethers, its
// network helpers and its matchers. `before` and the functions of mocha are globals.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const HOUR = 3600n;
const SUPPLY = 1_000_000n;

/** Reads what `compile.mjs` wrote. */
function readArtifact(name) {
  return JSON.parse(readFileSync(join(__dirname, "dist", `${name}.json`), "utf8"));
}

/** A contract whose transactions are mined when they are answered, on chains too that answer before. */
function waiting(contract) {
  const isSent = (name) => {
    const found = typeof name === "string" ? contract.interface.getFunction(name) : null;
    return found !== null && !found.constant;
  };
  return new Proxy(contract, {
    get(target, name) {
      const value = target[name];
      if (name === "connect" || name === "attach")
        return (...args) => waiting(target[name](...args));
      if (typeof value !== "function" || name === "then" || !isSent(name)) return value;
      return new Proxy(value, {
        async apply(method, _, args) {
          const sent = await method(...args);
          await sent.wait();
          return sent;
        },
      });
    },
  });
}

/** Defines the suite; `openChain` resolves with `{ ethers, helpers, expect }`. */
module.exports = function defineSuite(openChain) {
  let ethers;
  let helpers;
  let expect;

  before(async () => {
    ({ ethers, helpers, expect } = await openChain());
  });

  async function deploy(name, ...args) {
    const { abi, bytecode } = readArtifact(name);
    const [deployer] = await ethers.getSigners();
    const contract = await new ethers.ContractFactory(abi, bytecode, deployer).deploy(...args);
    return waiting(await contract.waitForDeployment());
  }

  async function deployCoin() {
    const [owner, friend, stranger] = await ethers.getSigners();
    return { coin: await deploy("Coin", SUPPLY), owner, friend, stranger };
  }

  async function deployArt() {
    const [owner, friend, stranger] = await ethers.getSigners();
    const art = await deploy("Art");
    await art.make(owner.address, "ipfs://first");
    return { art, owner, friend, stranger };
  }

  async function deployItems() {
    const [owner, friend, stranger] = await ethers.getSigners();
    const items = await deploy("Items");
    await items.make(owner.address, [1, 2], [10, 20]);
    return { items, owner, friend, stranger };
  }

  async function deployCouncil() {
    const { coin, owner, friend, stranger } = await deployCoin();
    const council = await deploy("Council", await coin.getAddress());
    await coin.delegate(owner.address);
    await coin.transferOwnership(await council.getAddress());
    await helpers.mine(1);
    const call = coin.interface.encodeFunctionData("mint", [friend.address, 77n]);
    const proposal = [[await coin.getAddress()], [0], [call], "Mint for a friend"];
    const hashed = [...proposal.slice(0, 3), ethers.id("Mint for a friend")];
    return { coin, council, owner, friend, stranger, proposal, hashed };
  }

  async function deploySignIn() {
    const [owner, friend, stranger] = await ethers.getSigners();
    return { desk: await deploy("SignIn"), owner, friend, stranger };
  }

  /** A contract behind a proxy, with the proxy's own face. */
  async function deployProxy(kind, code, ...args) {
    const proxy = await deploy(kind, await code.getAddress(), ...args);
    return { proxy, box: code.attach(await proxy.getAddress()) };
  }

  async function deployBoxes() {
    const [owner, , stranger] = await ethers.getSigners();
    const [one, two] = [await deploy("BoxOne"), await deploy("BoxTwo")];
    const start = one.interface.encodeFunctionData("initialize", [5]);
    return { one, two, start, owner, stranger };
  }

  async function signPermit(coin, owner, spender, { value, deadline, nonce }) {
    const { chainId } = await ethers.provider.getNetwork();
    const verifyingContract = await coin.getAddress();
    const domain = { name: "Coin", version: "1", chainId, verifyingContract };
    const types = {
      Permit: [
        "address owner",
        "address spender",
        "uint256 value",
        "uint256 nonce",
        "uint256 deadline",
      ].map((member) => ({ type: member.split(" ")[0], name: member.split(" ")[1] })),
    };
    const message = { owner: owner.address, spender: spender.address, value, nonce, deadline };
    return ethers.Signature.from(await owner.signTypedData(domain, types, message));
  }

  describe("ERC-20", () => {
    it("has a name, a symbol and decimals", async () => {
      const { coin } = await helpers.loadFixture(deployCoin);
      expect(await coin.name()).to.equal("Coin");
      expect(await coin.symbol()).to.equal("COIN");
      expect(await coin.decimals()).to.equal(18n);
    });

    it("gives the supply to its deployer", async () => {
      const { coin, owner } = await helpers.loadFixture(deployCoin);
      expect(await coin.balanceOf(owner.address)).to.equal(SUPPLY);
    });

    it("transfers, with an event", async () => {
      const { coin, owner, friend } = await helpers.loadFixture(deployCoin);
      await expect(coin.transfer(friend.address, 25n))
        .to.emit(coin, "Transfer")
        .withArgs(owner.address, friend.address, 25n);
      expect(await coin.balanceOf(friend.address)).to.equal(25n);
    });

    it("refuses to transfer more than there is", async () => {
      const { coin, friend, owner } = await helpers.loadFixture(deployCoin);
      await expect(coin.connect(friend).transfer(owner.address, 1n))
        .to.be.revertedWithCustomError(coin, "ERC20InsufficientBalance")
        .withArgs(friend.address, 0n, 1n);
    });

    it("refuses to transfer to address zero", async () => {
      const { coin } = await helpers.loadFixture(deployCoin);
      await expect(coin.transfer(ethers.ZeroAddress, 1n)).to.be.revertedWithCustomError(
        coin,
        "ERC20InvalidReceiver",
      );
    });

    it("lets a spender take what was approved", async () => {
      const { coin, owner, friend } = await helpers.loadFixture(deployCoin);
      await coin.approve(friend.address, 10n);
      await coin.connect(friend).transferFrom(owner.address, friend.address, 4n);
      expect(await coin.allowance(owner.address, friend.address)).to.equal(6n);
    });

    it("refuses a spender more than was approved", async () => {
      const { coin, owner, friend } = await helpers.loadFixture(deployCoin);
      await coin.approve(friend.address, 3n);
      await expect(coin.connect(friend).transferFrom(owner.address, friend.address, 4n))
        .to.be.revertedWithCustomError(coin, "ERC20InsufficientAllowance")
        .withArgs(friend.address, 3n, 4n);
    });

    it("lets its owner mint", async () => {
      const { coin, friend } = await helpers.loadFixture(deployCoin);
      await coin.mint(friend.address, 9n);
      expect(await coin.totalSupply()).to.equal(SUPPLY + 9n);
    });

    it("lets no other mint", async () => {
      const { coin, friend } = await helpers.loadFixture(deployCoin);
      await expect(coin.connect(friend).mint(friend.address, 9n))
        .to.be.revertedWithCustomError(coin, "OwnableUnauthorizedAccount")
        .withArgs(friend.address);
    });

    it("is found again by its events", async () => {
      const { coin, friend } = await helpers.loadFixture(deployCoin);
      await coin.transfer(friend.address, 1n);
      await coin.transfer(friend.address, 2n);
      const found = await coin.queryFilter(coin.filters.Transfer(undefined, friend.address));
      expect(found.map(({ args }) => args[2])).to.deep.equal([1n, 2n]);
    });
  });

  describe("a permit", () => {
    const permit = async (changes = {}) => {
      const { coin, owner, friend, stranger } = await helpers.loadFixture(deployCoin);
      const deadline = BigInt(await helpers.time.latest()) + HOUR;
      const asked = { value: 50n, deadline, nonce: 0n, ...changes };
      const { v, r, s } = await signPermit(coin, changes.signer ?? owner, friend, asked);
      const send = () =>
        coin.connect(friend).permit(owner.address, friend.address, 50n, deadline, v, r, s);
      return { coin, owner, friend, stranger, deadline, send };
    };

    it("gives an allowance that the owner only signed", async () => {
      const { coin, owner, friend, send } = await permit();
      await send();
      expect(await coin.allowance(owner.address, friend.address)).to.equal(50n);
    });

    it("is used by the spender at once", async () => {
      const { coin, owner, friend, send } = await permit();
      await send();
      await coin.connect(friend).transferFrom(owner.address, friend.address, 50n);
      expect(await coin.balanceOf(friend.address)).to.equal(50n);
    });

    it("is good once", async () => {
      const { coin, send } = await permit();
      await send();
      await expect(send()).to.be.revertedWithCustomError(coin, "ERC2612InvalidSigner");
    });

    it("is good until its deadline", async () => {
      const { coin, deadline, send } = await permit();
      await helpers.time.increaseTo(deadline + 1n);
      await expect(send())
        .to.be.revertedWithCustomError(coin, "ERC2612ExpiredSignature")
        .withArgs(deadline);
    });

    it("for another amount is refused", async () => {
      const { coin, send } = await permit({ value: 51n });
      await expect(send()).to.be.revertedWithCustomError(coin, "ERC2612InvalidSigner");
    });

    it("with another nonce is refused", async () => {
      const { coin, send } = await permit({ nonce: 1n });
      await expect(send()).to.be.revertedWithCustomError(coin, "ERC2612InvalidSigner");
    });
  });

  describe("ERC-721", () => {
    it("belongs to whom it was made for", async () => {
      const { art, owner } = await helpers.loadFixture(deployArt);
      expect(await art.ownerOf(1n)).to.equal(owner.address);
      expect(await art.tokenURI(1n)).to.equal("ipfs://first");
    });

    it("is transferred by its owner", async () => {
      const { art, owner, friend } = await helpers.loadFixture(deployArt);
      await expect(art.transferFrom(owner.address, friend.address, 1n))
        .to.emit(art, "Transfer")
        .withArgs(owner.address, friend.address, 1n);
    });

    it("is not transferred by others", async () => {
      const { art, owner, friend } = await helpers.loadFixture(deployArt);
      await expect(art.connect(friend).transferFrom(owner.address, friend.address, 1n))
        .to.be.revertedWithCustomError(art, "ERC721InsufficientApproval")
        .withArgs(friend.address, 1n);
    });

    it("is transferred by one who was approved", async () => {
      const { art, owner, friend } = await helpers.loadFixture(deployArt);
      await art.approve(friend.address, 1n);
      await art.connect(friend).transferFrom(owner.address, friend.address, 1n);
      expect(await art.ownerOf(1n)).to.equal(friend.address);
    });

    it("is transferred by an operator", async () => {
      const { art, owner, friend, stranger } = await helpers.loadFixture(deployArt);
      await art.setApprovalForAll(friend.address, true);
      await art.connect(friend).transferFrom(owner.address, stranger.address, 1n);
      expect(await art.balanceOf(stranger.address)).to.equal(1n);
    });

    it("is not sent to a contract that does not take it", async () => {
      const { art, owner } = await helpers.loadFixture(deployArt);
      const send = art["safeTransferFrom(address,address,uint256)"];
      await expect(send(owner.address, await art.getAddress(), 1n)).to.be.revertedWithCustomError(
        art,
        "ERC721InvalidReceiver",
      );
    });

    it("that does not exist has no owner", async () => {
      const { art } = await helpers.loadFixture(deployArt);
      await expect(art.ownerOf(2n))
        .to.be.revertedWithCustomError(art, "ERC721NonexistentToken")
        .withArgs(2n);
    });

    it("says which interfaces it has", async () => {
      const { art } = await helpers.loadFixture(deployArt);
      expect(await art.supportsInterface("0x80ac58cd")).to.equal(true);
      expect(await art.supportsInterface("0xffffffff")).to.equal(false);
    });
  });

  describe("ERC-1155", () => {
    it("has balances by kind", async () => {
      const { items, owner } = await helpers.loadFixture(deployItems);
      const balances = await items.balanceOfBatch([owner.address, owner.address], [1, 2]);
      expect([...balances]).to.deep.equal([10n, 20n]);
    });

    it("transfers many kinds at once", async () => {
      const { items, owner, friend } = await helpers.loadFixture(deployItems);
      await expect(items.safeBatchTransferFrom(owner.address, friend.address, [1, 2], [3, 4], "0x"))
        .to.emit(items, "TransferBatch")
        .withArgs(owner.address, owner.address, friend.address, [1n, 2n], [3n, 4n]);
    });

    it("refuses lists of different lengths", async () => {
      const { items, owner, friend } = await helpers.loadFixture(deployItems);
      await expect(
        items.safeBatchTransferFrom(owner.address, friend.address, [1, 2], [3], "0x"),
      ).to.be.revertedWithCustomError(items, "ERC1155InvalidArrayLength");
    });

    it("refuses more than there is", async () => {
      const { items, owner, friend } = await helpers.loadFixture(deployItems);
      await expect(items.safeTransferFrom(owner.address, friend.address, 1, 11, "0x"))
        .to.be.revertedWithCustomError(items, "ERC1155InsufficientBalance")
        .withArgs(owner.address, 10n, 11n, 1n);
    });

    it("refuses an operator without approval", async () => {
      const { items, owner, friend } = await helpers.loadFixture(deployItems);
      await expect(
        items.connect(friend).safeTransferFrom(owner.address, friend.address, 1, 1, "0x"),
      ).to.be.revertedWithCustomError(items, "ERC1155MissingApprovalForAll");
    });

    it("counts the supply", async () => {
      const { items, friend } = await helpers.loadFixture(deployItems);
      await items.make(friend.address, [2], [5]);
      expect(await items["totalSupply(uint256)"](2)).to.equal(25n);
    });
  });

  describe("Governor", () => {
    async function propose() {
      const setting = await helpers.loadFixture(deployCouncil);
      await setting.council.propose(...setting.proposal);
      const id = await setting.council.hashProposal(...setting.hashed);
      return { ...setting, id };
    }

    it("has a proposal that waits", async () => {
      const { council, id } = await propose();
      expect(await council.state(id)).to.equal(0n);
    });

    it("takes no vote before the delay is over", async () => {
      const { council, id } = await propose();
      await expect(council.castVote.staticCall(id, 1)).to.be.revertedWithCustomError(
        council,
        "GovernorUnexpectedProposalState",
      );
    });

    it("counts votes by coins", async () => {
      const { council, id, owner } = await propose();
      await helpers.mine(2);
      await expect(council.castVote(id, 1)).to.emit(council, "VoteCast");
      expect(await council.hasVoted(id, owner.address)).to.equal(true);
      expect((await council.proposalVotes(id)).forVotes).to.equal(SUPPLY);
    });

    it("takes no second vote of an account", async () => {
      const { council, id, owner } = await propose();
      await helpers.mine(2);
      await council.castVote(id, 1);
      await expect(council.castVote(id, 0))
        .to.be.revertedWithCustomError(council, "GovernorAlreadyCastVote")
        .withArgs(owner.address);
    });

    it("is defeated without a quorum", async () => {
      const { council, id } = await propose();
      await helpers.mine(20);
      expect(await council.state(id)).to.equal(3n);
    });

    it("executes what succeeded", async () => {
      const { council, coin, id, hashed, friend } = await propose();
      await helpers.mine(2);
      await council.castVote(id, 1);
      await helpers.mine(20);
      await expect(council.execute(...hashed)).to.emit(council, "ProposalExecuted");
      expect(await coin.balanceOf(friend.address)).to.equal(77n);
    });

    it("executes nothing before the vote is over", async () => {
      const { council, id, hashed } = await propose();
      await helpers.mine(2);
      await council.castVote(id, 1);
      await expect(council.execute(...hashed)).to.be.revertedWithCustomError(
        council,
        "GovernorUnexpectedProposalState",
      );
    });

    it("takes a vote that was only signed", async () => {
      const { council, id, owner, friend } = await propose();
      await helpers.mine(2);
      const { chainId } = await ethers.provider.getNetwork();
      const verifyingContract = await council.getAddress();
      const domain = { name: "Council", version: "1", chainId, verifyingContract };
      const types = {
        Ballot: [
          { name: "proposalId", type: "uint256" },
          { name: "support", type: "uint8" },
          { name: "voter", type: "address" },
          { name: "nonce", type: "uint256" },
        ],
      };
      const ballot = { proposalId: id, support: 1, voter: owner.address, nonce: 0n };
      const signature = await owner.signTypedData(domain, types, ballot);
      await council.connect(friend).castVoteBySig(id, 1, owner.address, signature);
      expect(await council.hasVoted(id, owner.address)).to.equal(true);
    });

    it("knows the votes of the past", async () => {
      const { coin, owner, friend } = await helpers.loadFixture(deployCouncil);
      const before = await ethers.provider.getBlockNumber();
      await coin.transfer(friend.address, 400n);
      await helpers.mine(1);
      expect(await coin.getPastVotes(owner.address, before)).to.equal(SUPPLY);
      expect(await coin.getVotes(owner.address)).to.equal(SUPPLY - 400n);
    });
  });

  describe("a proxy", () => {
    it("ERC-1967 runs the code with its own storage", async () => {
      const { one, start } = await helpers.loadFixture(deployBoxes);
      const { box } = await deployProxy("ERC1967Proxy", one, start);
      await box.put(8);
      expect(await box.value()).to.equal(8n);
      expect(await one.value()).to.equal(0n);
    });

    it("is initialized once", async () => {
      const { one, start } = await helpers.loadFixture(deployBoxes);
      const { box } = await deployProxy("ERC1967Proxy", one, start);
      await expect(box.initialize(1)).to.be.revertedWithCustomError(one, "InvalidInitialization");
    });

    it("keeps its code's address in the slot of ERC-1967", async () => {
      const { one, start } = await helpers.loadFixture(deployBoxes);
      const { box } = await deployProxy("ERC1967Proxy", one, start);
      const slot = `0x${(BigInt(ethers.id("eip1967.proxy.implementation")) - 1n).toString(16)}`;
      const word = await ethers.provider.getStorage(await box.getAddress(), slot);
      expect(ethers.getAddress(`0x${word.slice(26)}`)).to.equal(await one.getAddress());
    });

    it("UUPS is upgraded by its owner and keeps its value", async () => {
      const { one, two, start } = await helpers.loadFixture(deployBoxes);
      const { box } = await deployProxy("ERC1967Proxy", one, start);
      await box.upgradeToAndCall(await two.getAddress(), "0x");
      const upgraded = two.attach(await box.getAddress());
      await upgraded.increase();
      expect([await upgraded.version(), await upgraded.value()]).to.deep.equal([2n, 6n]);
    });

    it("UUPS is upgraded by no other", async () => {
      const { one, two, start, stranger } = await helpers.loadFixture(deployBoxes);
      const { box } = await deployProxy("ERC1967Proxy", one, start);
      await expect(box.connect(stranger).upgradeToAndCall(await two.getAddress(), "0x"))
        .to.be.revertedWithCustomError(one, "NotOwner")
        .withArgs(stranger.address);
    });

    it("transparent is upgraded through its admin", async () => {
      const { one, two, start, owner } = await helpers.loadFixture(deployBoxes);
      const { proxy, box } = await deployProxy(
        "TransparentUpgradeableProxy",
        one,
        owner.address,
        start,
      );
      const slot = `0x${(BigInt(ethers.id("eip1967.proxy.admin")) - 1n).toString(16)}`;
      const word = await ethers.provider.getStorage(await proxy.getAddress(), slot);
      const { abi } = readArtifact("ProxyAdmin");
      const admin = new ethers.Contract(`0x${word.slice(26)}`, abi, owner);
      await admin.upgradeAndCall(await proxy.getAddress(), await two.getAddress(), "0x");
      expect(await box.version()).to.equal(2n);
    });

    it("of a beacon follows it", async () => {
      const { one, two, start, owner } = await helpers.loadFixture(deployBoxes);
      const beacon = await deploy("UpgradeableBeacon", await one.getAddress(), owner.address);
      const proxies = [
        await deploy("BeaconProxy", await beacon.getAddress(), start),
        await deploy("BeaconProxy", await beacon.getAddress(), start),
      ];
      await beacon.upgradeTo(await two.getAddress());
      for (const proxy of proxies) {
        expect(await two.attach(await proxy.getAddress()).version()).to.equal(2n);
      }
    });

    it("that is a clone is where it was predicted", async () => {
      const [code, factory] = [await deploy("PlainBox"), await deploy("BoxFactory")];
      const salt = ethers.id("salt");
      const place = await factory.find(await code.getAddress(), salt);
      await expect(factory.make(await code.getAddress(), salt))
        .to.emit(factory, "Made")
        .withArgs(place);
      const clone = code.attach(place);
      await clone.initialize(7);
      expect(await clone.value()).to.equal(7n);
    });
  });

  describe("signing in", () => {
    const TEXT = "example.org wants you to sign in";

    it("with a message that the node signs", async () => {
      const { desk, friend, stranger } = await helpers.loadFixture(deploySignIn);
      const signature = await friend.signMessage(TEXT);
      await desk.connect(stranger).withMessage(friend.address, TEXT, signature);
      expect(await desk.isIn(friend.address)).to.equal(true);
    });

    it("with the message of another is refused", async () => {
      const { desk, friend, stranger } = await helpers.loadFixture(deploySignIn);
      const signature = await stranger.signMessage(TEXT);
      await expect(desk.withMessage(friend.address, TEXT, signature))
        .to.be.revertedWithCustomError(desk, "WrongSigner")
        .withArgs(stranger.address);
    });

    const signSession = async (desk, user, until) => {
      const { chainId } = await ethers.provider.getNetwork();
      const domain = {
        name: "SignIn",
        version: "1",
        chainId,
        verifyingContract: await desk.getAddress(),
      };
      const types = {
        Session: [
          { name: "user", type: "address" },
          { name: "until", type: "uint256" },
        ],
      };
      return user.signTypedData(domain, types, { user: user.address, until });
    };

    it("with typed data lasts as long as was signed", async () => {
      const { desk, friend } = await helpers.loadFixture(deploySignIn);
      const until = BigInt(await helpers.time.latest()) + 2n * HOUR;
      await desk.withTypedData(friend.address, until, await signSession(desk, friend, until));
      expect(await desk.sessions(friend.address)).to.equal(until);
      await helpers.time.increaseTo(until + 1n);
      await helpers.mine(1);
      expect(await desk.isIn(friend.address)).to.equal(false);
    });

    it("with typed data that has expired is refused", async () => {
      const { desk, friend } = await helpers.loadFixture(deploySignIn);
      const until = BigInt(await helpers.time.latest()) + HOUR;
      const signature = await signSession(desk, friend, until);
      await helpers.time.increaseTo(until + 1n);
      await expect(desk.withTypedData(friend.address, until, signature))
        .to.be.revertedWithCustomError(desk, "Expired")
        .withArgs(until);
    });

    it("signs what ethers recovers", async () => {
      const [, friend] = await ethers.getSigners();
      const signature = await friend.signMessage("hello");
      expect(ethers.verifyMessage("hello", signature)).to.equal(friend.address);
    });
  });

  describe("time", () => {
    async function deployVesting() {
      const [, friend] = await ethers.getSigners();
      const start = BigInt(await helpers.time.latest()) + HOUR;
      const vesting = await deploy("Vesting", friend.address, start, 10n * HOUR, { value: 1000n });
      return { vesting, start, friend };
    }

    it("releases nothing before the start", async () => {
      const { vesting } = await helpers.loadFixture(deployVesting);
      expect(await vesting["releasable()"]()).to.equal(0n);
    });

    it("releases half when half of it is over", async () => {
      const { vesting, start } = await helpers.loadFixture(deployVesting);
      await helpers.time.increaseTo(start + 5n * HOUR);
      expect(await vesting["vestedAmount(uint64)"](start + 5n * HOUR)).to.equal(500n);
    });

    it("releases all at the end", async () => {
      const { vesting, start, friend } = await helpers.loadFixture(deployVesting);
      await helpers.time.increaseTo(start + 11n * HOUR);
      const before = await ethers.provider.getBalance(friend.address);
      await vesting["release()"]();
      expect((await ethers.provider.getBalance(friend.address)) - before).to.equal(1000n);
    });

    it("is what the next block was told", async () => {
      const wanted = BigInt(await helpers.time.latest()) + 12_345n;
      await helpers.time.setNextBlockTimestamp(wanted);
      await helpers.mine(1);
      expect(BigInt(await helpers.time.latest())).to.equal(wanted);
    });

    it("goes on from there", async () => {
      await helpers.time.increase(86_400n);
      const after = BigInt(await helpers.time.latest());
      await helpers.mine(1);
      const next = BigInt(await helpers.time.latest());
      expect(next > after && next < after + 60n).to.equal(true);
    });

    it("passes between blocks that are mined together", async () => {
      const before = BigInt(await helpers.time.latest());
      await helpers.mine(10, { interval: 60 });
      const passed = BigInt(await helpers.time.latest()) - before;
      expect(passed >= 540n && passed < 700n).to.equal(true);
    });

    it("lets a timelock execute after its delay", async () => {
      const { coin } = await deployCoin();
      const [owner, friend] = await ethers.getSigners();
      const lock = await deploy("Timelock", HOUR, [owner.address], [owner.address]);
      await coin.transfer(await lock.getAddress(), 40n);
      const call = coin.interface.encodeFunctionData("transfer", [friend.address, 40n]);
      const order = [await coin.getAddress(), 0, call, ethers.ZeroHash, ethers.ZeroHash];
      await lock.schedule(...order, HOUR);
      await expect(lock.execute(...order)).to.be.revertedWithCustomError(
        lock,
        "TimelockUnexpectedOperationState",
      );
      await helpers.time.increase(HOUR + 1n);
      await lock.execute(...order);
      expect(await coin.balanceOf(friend.address)).to.equal(40n);
    });
  });

  describe("snapshots", () => {
    it("bring balances and blocks back", async () => {
      const { coin, friend } = await deployCoin();
      const number = await ethers.provider.getBlockNumber();
      const snapshot = await helpers.takeSnapshot();
      await coin.transfer(friend.address, 5n);
      await snapshot.restore();
      expect(await coin.balanceOf(friend.address)).to.equal(0n);
      expect(await ethers.provider.getBlockNumber()).to.equal(number);
    });

    it("can be restored more than once", async () => {
      const { coin, friend } = await deployCoin();
      const snapshot = await helpers.takeSnapshot();
      for (const amount of [1n, 2n]) {
        await coin.transfer(friend.address, amount);
        await snapshot.restore();
      }
      expect(await coin.balanceOf(friend.address)).to.equal(0n);
    });

    it("bring nonces back", async () => {
      const [owner, friend] = await ethers.getSigners();
      const snapshot = await helpers.takeSnapshot();
      const before = await ethers.provider.getTransactionCount(owner.address);
      await (await owner.sendTransaction({ to: friend.address, value: 1n })).wait();
      await snapshot.restore();
      expect(await ethers.provider.getTransactionCount(owner.address)).to.equal(before);
    });

    it("take a contract away that was not there", async () => {
      const snapshot = await helpers.takeSnapshot();
      const { coin } = await deployCoin();
      await snapshot.restore();
      expect(await ethers.provider.getCode(await coin.getAddress())).to.equal("0x");
    });
  });

  describe("impersonation and changed accounts", () => {
    const STRANGER = "0x00000000000000000000000000000000000A11cE";

    it("sends from an account without a key", async () => {
      const [, friend] = await ethers.getSigners();
      await helpers.setBalance(STRANGER, 10n ** 18n);
      await helpers.impersonateAccount(STRANGER);
      const signer = await ethers.getSigner(STRANGER);
      const sent = await signer.sendTransaction({ to: friend.address, value: 3n });
      expect((await sent.wait()).from).to.equal(STRANGER);
      await helpers.stopImpersonatingAccount(STRANGER);
    });

    it("calls as the owner of a contract", async () => {
      const { coin, friend } = await deployCoin();
      const council = await deploy("Council", await coin.getAddress());
      await coin.transferOwnership(await council.getAddress());
      const place = await council.getAddress();
      await helpers.impersonateAccount(place);
      await helpers.setBalance(place, 10n ** 18n);
      await coin.connect(await ethers.getSigner(place)).mint(friend.address, 12n);
      expect(await coin.balanceOf(friend.address)).to.equal(12n);
    });

    it("sets code, storage and nonces", async () => {
      const { one } = await deployBoxes();
      await helpers.setCode(STRANGER, await ethers.provider.getCode(await one.getAddress()));
      expect(await one.attach(STRANGER).version()).to.equal(1n);
      await helpers.setStorageAt(STRANGER, 1n, 99n);
      expect(await one.attach(STRANGER).value()).to.equal(99n);
      const [, , , , other] = await ethers.getSigners();
      await helpers.setNonce(other.address, 1000n);
      expect(await ethers.provider.getTransactionCount(other.address)).to.equal(1000);
    });
  });

  describe("a block", () => {
    it("has the base fee that was asked for", async () => {
      await helpers.setNextBlockBaseFeePerGas(2_000_000_000n);
      await helpers.mine(1);
      expect((await ethers.provider.getBlock("latest")).baseFeePerGas).to.equal(2_000_000_000n);
    });

    it("has the coinbase that was asked for", async () => {
      const facts = await deploy("BlockFacts");
      const place = "0x00000000000000000000000000000000000000C0";
      await helpers.setCoinbase(place);
      await helpers.mine(1);
      expect(await facts.coinbase()).to.equal(place);
    });

    it("has the transactions that were sent while none were made", async () => {
      const [owner, friend] = await ethers.getSigners();
      await ethers.provider.send("evm_setAutomine", [false]);
      try {
        const nonce = await ethers.provider.getTransactionCount(owner.address);
        for (const index of [0, 1, 2]) {
          await owner.sendTransaction({
            to: friend.address,
            value: 1n,
            nonce: nonce + index,
            gasLimit: 21_000n,
          });
        }
        await helpers.mine(1);
        const block = await ethers.provider.getBlock("latest");
        expect(block.transactions.length).to.equal(3);
      } finally {
        await ethers.provider.send("evm_setAutomine", [true]);
      }
    });

    it("can be traced", async () => {
      const { coin, friend } = await deployCoin();
      const { hash } = await coin.transfer(friend.address, 1n);
      const trace = await ethers.provider.send("debug_traceTransaction", [hash]);
      expect(trace.failed).to.equal(false);
      expect(trace.structLogs.length > 50).to.equal(true);
    });
  });
};
