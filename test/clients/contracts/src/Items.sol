// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// An ERC-721 of one item, which belongs to its deployer; what explorers read of it.
contract Art {
    string public constant name = "Plinth Test Art";
    string public constant symbol = "PTA";
    uint256 public constant totalSupply = 1;
    uint256 private constant ID = 7;

    address private _owner = msg.sender;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    constructor() {
        emit Transfer(address(0), msg.sender, ID);
    }

    function ownerOf(uint256 id) public view returns (address) {
        require(id == ID, "no such item");
        return _owner;
    }

    function balanceOf(address account) external view returns (uint256) {
        return account == _owner ? 1 : 0;
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(from == ownerOf(id) && from == msg.sender, "not the owner");
        _owner = to;
        emit Transfer(from, to, id);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x80ac58cd || id == 0x01ffc9a7;
    }
}

/// An ERC-1155 whose items belong to its deployer; what explorers read of it.
contract Items {
    mapping(address => mapping(uint256 => uint256)) public balanceOf;

    event TransferSingle(
        address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value
    );
    event TransferBatch(
        address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values
    );

    constructor() {
        balanceOf[msg.sender][3] = 40;
        balanceOf[msg.sender][4] = 50;
        emit TransferSingle(msg.sender, address(0), msg.sender, 3, 40);
        emit TransferSingle(msg.sender, address(0), msg.sender, 4, 50);
    }

    function safeBatchTransferFrom(
        address from, address to, uint256[] calldata ids, uint256[] calldata values, bytes calldata
    ) external {
        require(from == msg.sender, "not the owner");
        for (uint256 index = 0; index < ids.length; index++) {
            balanceOf[from][ids[index]] -= values[index];
            balanceOf[to][ids[index]] += values[index];
        }
        emit TransferBatch(msg.sender, from, to, ids, values);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0xd9b67a26 || id == 0x01ffc9a7;
    }
}
