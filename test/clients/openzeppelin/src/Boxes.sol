// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {TransparentUpgradeableProxy} from "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol";
import {ProxyAdmin} from "@openzeppelin/contracts/proxy/transparent/ProxyAdmin.sol";
import {BeaconProxy} from "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol";
import {UpgradeableBeacon} from "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

/// A value behind a proxy.
contract BoxOne is Initializable, UUPSUpgradeable {
    error NotOwner(address caller);

    address public owner;
    uint256 public value;

    constructor() {
        _disableInitializers();
    }

    function initialize(uint256 first) external initializer {
        owner = msg.sender;
        value = first;
    }

    function put(uint256 next) external {
        value = next;
    }

    function version() external pure virtual returns (uint256) {
        return 1;
    }

    function _authorizeUpgrade(address) internal view override {
        if (msg.sender != owner) revert NotOwner(msg.sender);
    }
}

/// The same, which counts.
contract BoxTwo is BoxOne {
    function increase() external {
        value += 1;
    }

    function version() external pure override returns (uint256) {
        return 2;
    }
}

/// Makes boxes that share their code.
contract BoxFactory {
    event Made(address box);

    function make(address code, bytes32 salt) external {
        emit Made(Clones.cloneDeterministic(code, salt));
    }

    function find(address code, bytes32 salt) external view returns (address) {
        return Clones.predictDeterministicAddress(code, salt);
    }
}

/// A value that a clone may begin with.
contract PlainBox is Initializable {
    uint256 public value;

    function initialize(uint256 first) external initializer {
        value = first;
    }
}
