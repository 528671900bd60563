import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { type AddressClass, classifyAddress } from '../src/index.js';

const both = (first: string, last: string): string[] => [first, last];

/** First and last address of every special range, and their public neighbours. */
const privateV4 = [
  both('0.0.0.1', '0.255.255.255'),
  both('10.0.0.0', '10.255.255.255'),
  both('100.64.0.0', '100.127.255.255'),
  both('127.0.0.0', '127.255.255.255'),
  both('169.254.0.0', '169.254.255.255'),
  both('172.16.0.0', '172.31.255.255'),
  both('192.0.0.0', '192.0.0.255'),
  both('192.0.2.0', '192.0.2.255'),
  both('192.31.196.0', '192.31.196.255'),
  both('192.52.193.0', '192.52.193.255'),
  both('192.88.99.0', '192.88.99.255'),
  both('192.168.0.0', '192.168.255.255'),
  both('192.175.48.0', '192.175.48.255'),
  both('198.18.0.0', '198.19.255.255'),
  both('198.51.100.0', '198.51.100.255'),
  both('203.0.113.0', '203.0.113.255'),
  both('240.0.0.0', '255.255.255.254'),
].flat();
const publicV4 = [
  ['1.0.0.0', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.3.0'],
  ['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
].flat();
const privateV6 = [
  ['::1', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe80::1', 'febf::1', 'fec0::1', 'feff::1'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
].flat();
const publicV6 = [
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '2a00::1',
  '2001:db7::1',
  '2001:db9::1',
  '2000::1',
  'fbff::1',
];

const expectAll = (addresses: readonly string[], kind: AddressClass) => {
  expect(Object.fromEntries(addresses.map((address) => [address, classifyAddress(address)]))).toEqual(
    Object.fromEntries(addresses.map((address) => [address, kind])),
  );
};

describe('addresses', () => {
  verifies(['CONF-ADDR-01', 'KIT-HTTP-07'], 'the table of IPv4', () => {
    expectAll(privateV4, 'private');
    expectAll(publicV4, 'public');
    expectAll(['0.0.0.0', '224.0.0.0', '239.255.255.255', '255.255.255.255'], 'forbidden');
  });

  verifies(['CONF-ADDR-01', 'KIT-HTTP-07'], 'the table of IPv6', () => {
    expectAll(privateV6, 'private');
    expectAll(publicV6, 'public');
    expectAll(['::', 'ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], 'forbidden');
    expectAll(['fe80::1%eth0', 'FE80::1%25', '::FFFF:10.0.0.1'], 'private');
  });

  /** Every form of IPv6 address that embeds an IPv4 address, as a function of its two halves. */
  const forms: Readonly<Record<string, (high: string, low: string) => string>> = {
    mapped: (high, low) => `::ffff:${high}:${low}`,
    compatible: (high, low) => `::${high}:${low}`,
    NAT64: (high, low) => `64:ff9b::${high}:${low}`,
    '6to4': (high, low) => `2002:${high}:${low}::`,
    ISATAP: (high, low) => `2606:4700::5efe:${high}:${low}`,
    'ISATAP, universal': (high, low) => `2606:4700:0:0:200:5efe:${high}:${low}`,
  };
  const inside: readonly [high: string, low: string, AddressClass][] = [
    ['808', '808', 'public'],
    ['7f00', '1', 'private'],
    ['c0a8', '1', 'private'],
    ['e000', '1', 'forbidden'],
    ['a9fe', 'a9fe', 'forbidden'],
    ['ffff', 'ffff', 'forbidden'],
  ];
  for (const [form, embed] of Object.entries(forms)) {
    verifies(['CONF-ADDR-01', 'CONF-ADDR-03'], `an IPv4 address embedded as ${form} keeps its class`, () => {
      for (const [high, low, kind] of inside) expectAll([embed(high, low)], kind);
    });
  }

  verifies('CONF-ADDR-02', 'special ranges are not public', () => {
    const gaps = {
      teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:f7f7:f7f7', '2001:0:4136:e378::fffe'],
      'local NAT64': ['64:ff9b:1::c0a8:1', '64:ff9b:1::808:808', '64:ff9b:1:ffff::808:808'],
      discard: ['100::', '100::1', '100::ffff:ffff:ffff:ffff'],
      benchmarking: ['2001:2::1', '2001:2:0:ffff::1'],
      orchid: ['2001:20::1', '2001:2f:ffff::1'],
      documentation: ['3fff::1', '3fff:fff:ffff::1'],
      'segment routing': ['5f00::1', '5f00:ffff::1'],
    };
    expectAll(Object.values(gaps).flat(), 'private');
    expectAll(['100:0:0:1::', '2001:200::1', '3fff:1000::1', '5eff::1', '5f01::1'], 'public');
  });

  verifies('CONF-ADDR-03', 'metadata addresses of clouds are always forbidden', () => {
    expectAll(
      ['169.254.169.254', '169.254.170.2', '169.254.170.23', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
      'forbidden',
    );
    expectAll(['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', '::ffff:169.254.169.254'], 'forbidden');
    // 169.254.169.254 embedded in local NAT64 prefixes and Teredo.
    expectAll(['64:ff9b:1::a9fe:a9fe', '64:ff9b:1:a9fe:a9:fe00::', '64:ff9b:1:a9:fe:a9fe::'], 'forbidden');
    expectAll(['64:ff9b:1:0:a9:fea9:fe00:0', '2001:0:a9fe:a9fe::1', '2001::5601:5601'], 'forbidden');
  });

  verifies('CONF-ADDR-01', 'text that is not an address is forbidden', () => {
    expectAll(['', 'localhost', '1.2.3', '1.2.3.4.5', ':::', '[::1]'], 'forbidden');
  });
});
