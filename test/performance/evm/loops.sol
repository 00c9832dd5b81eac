// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

/// What `npm run long -- bench-evm` runs: every function loops inside the contract. `loops.json` has its code, of
/// solc 0.8 with the optimizer (200 runs) for London.
contract Loops {
    mapping(address => uint256) private balances;
    mapping(uint256 => uint256) private slots;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function arithmetic(uint256 n) external pure returns (uint256 sum) {
        for (uint256 i = 1; i <= n; i++) sum = sum + i * 3 - i / 2 + (i % 7);
    }

    function erc20(uint256 n) external {
        balances[msg.sender] = 1 ether;
        for (uint256 i = 0; i < n; i++) transfer(address(uint160((1 << 159) + (i & 63))), 1);
    }

    function transfer(address to, uint256 value) internal returns (bool) {
        require(to != address(0), "to");
        uint256 has = balances[msg.sender];
        require(has >= value, "balance");
        unchecked { balances[msg.sender] = has - value; }
        balances[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function wide(uint256 n) external pure returns (uint256 x) {
        unchecked {
            x = type(uint256).max - 12345;
            for (uint256 i = 1; i <= n; i++) {
                x = x * (x ^ i);
                x = mulmod(x, type(uint256).max - i, type(uint256).max - 188);
                if (i & 15 == 0) x ^= x ** (type(uint128).max - i);
            }
        }
    }

    function hash(uint256 n) external pure returns (bytes32 h) {
        for (uint256 i = 0; i < n; i++) h = keccak256(abi.encode(h, i));
    }

    function copy(uint256 n) external view returns (uint256 sum) {
        bytes memory from = new bytes(1024);
        for (uint256 i = 0; i < n; i++) {
            from[i & 1023] = bytes1(uint8(i));
            bytes memory to = new bytes(1024);
            assembly {
                let ok := staticcall(gas(), 4, add(from, 32), 1024, add(to, 32), 1024)
                sum := add(sum, add(ok, byte(0, mload(add(to, 32)))))
                mstore(0x40, to)
            }
        }
    }

    function storing(uint256 n) external {
        for (uint256 i = 0; i < n; i++) slots[i & 255] = slots[(i + 1) & 255] + i;
    }

    function sorting(uint256 n) external pure returns (uint256) {
        uint256[] memory a = new uint256[](n);
        uint256 seed = 12345;
        for (uint256 i = 0; i < n; i++) {
            seed = (seed * 1103515245 + 12345) % 2147483648;
            a[i] = seed;
        }
        for (uint256 i = 1; i < n; i++) {
            uint256 key = a[i];
            uint256 j = i;
            while (j > 0 && a[j - 1] > key) {
                a[j] = a[j - 1];
                j--;
            }
            a[j] = key;
        }
        return a[n / 2];
    }
}
