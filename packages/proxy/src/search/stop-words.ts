import { wordsOf } from './words.js';

const ENGLISH = `
a an the this that these those my your our his her its their me i we you he she it they us them of in on at to for from
with by as is are was were be been being am do does did can could would should shall will may might must have has had
and or but if then than so not no nor please want need like let there here what how when why whose whom some any
something somebody anybody someone into onto about over under out up down off again very just also too only own same
use used using uses via etc such both each few more most other another still yet now already which who where s t m re ve ll d
`;

const CHINESE =
  '的 了 我 你 他 她 它 们 把 给 将 被 在 是 有 和 与 或 及 等 请 帮 想 要 能 可以 一个 一下 一封 一台 这个 那个 里 上 下 中 到 从 对 为 怎么 如何 什么 吗 呢';

/** Words that say nothing about a tool, as terms. */
export const STOP_WORDS: ReadonlySet<string> = new Set([...wordsOf(ENGLISH), ...CHINESE.split(' ')]);
