/** Hints that frequent words of English and Chinese give. The format is described in `groups.ts`. */
export const COMMON_HINTS = `
monitor, health: stay, survive, stable, stability, steady, reliable, keeps running, 稳定, 可靠, 持续
event, log, history: ago, since, lately, meanwhile, recently, occasionally, earlier, 曾经, 当时, 期间, 刚才, 最初
schedule, cron, calendar: tomorrow, tonight, weekend, monday, tuesday, wednesday, thursday, friday, saturday, sunday, noon, midnight, afternoon, every morning, next week, 明天, 下午, 晚上, 早上, 周末, 星期, 今晚
usage, report: monthly, quarter, annual, per month, january, february, april, june, july, august, september, october, november, december, 年度, 月份, 今年, 去年
create, add: become, bring, born, found, establish, construct, introduce, launch, prepare, arrange, organise, 成立, 建成, 建造, 创办, 组建, 打造, 引进
update, edit: alter, transform, improve, increase, decrease, raise, reduce, lower, extend, expand, shorten, polish, revise, different, 改变, 改善, 提高, 降低, 增加, 减少, 扩大, 延长, 转变, 完善
delete, remove: die, dead, disappear, vanish, lose, destroy, eliminate, drop, useless, unnecessary, abandon, forget, rid, cease, 消失, 去除, 消灭, 废除, 放弃, 抛弃, 摆脱, 清除掉, 取消掉
search, find: discover, explore, somewhere, anywhere, seek, curious, detective, hunting, 探索, 寻求, 哪里, 哪儿, 查出
get, detail, describe: exactly, precisely, information, meaning, specific, characteristics, features, facts, details, complete picture, 详细, 具体情况, 特点, 细节, 介绍一下
list: various, several, numerous, variety, collection of, everybody, all kinds, 各种, 所有的, 哪个, 种类, 名单
count, statistics: million, thousand, hundred, percentage, proportion, ratio, average, majority, rate, frequency, how often, 比例, 平均, 人数, 数字, 总数
compare: versus, whereas, opposite, identical, similar, equivalent, distinct, gap, contrast, 相同, 相比, 差别, 差距, 一样吗
rank, sort: highest, lowest, largest, smallest, biggest, best, worst, top ten, fastest, 最大, 最高, 最低, 最好
run, start: act, operate, drive, force, carry out, execute, initiate, 行动, 实施, 发起, 启动一下
stop, cancel: halt, quit, cease, prevent, break, interrupt, give up, 终止, 停下, 中断
validate, verify, lint: accurate, properly, valid, legitimate, genuine, correctly, acceptable, fit, conform, mistakes, grammar, clean, 准确, 合理, 符合, 合法, 有效, 是否正确
approve, approval: permit, agreement, consent, accept, okay, permission, official, fine with, 批准, 认可, 接受, 赞成, 答应
reject, deny, block: refuse, forbid, illegal, ban, oppose, unwanted, 反对, 禁止, 拒绝, 不准, 不许
error, crash, failure: accident, disaster, damage, hurt, fault, collapse, terrible, wrong, trouble, weird, strange, stuck, breakdown, mess, chaos, 事故, 奇怪, 麻烦, 糟糕, 混乱, 困难, 意外
diagnose, root cause, analyze: reason, why, cause, explanation, investigate, factor, behind it, blame, suspect, clue, 理由, 原因是什么, 因素, 为什么, 怎么回事, 怎么办
performance, metric: heavy, load, pressure, weight, busy, efficient, efficiency, capacity, rapid, speed, slow, 压力, 效率, 速度, 快速, 缓慢
cost, price, billing: money, dollars, euro, cash, expensive, afford, cheap, fees, worth, waste, debt, spending, 金钱, 美元, 欧元, 便宜, 金额, 贵不贵, 赚钱, 经费
payment, charge: buy, purchase, deposit, loan, wage, salary, reward, 购物, 买卖, 工资, 现金
quota, limit: enough, sufficient, maximum, minimum, excess, unlimited, plenty, remaining, exceed, 足够, 不够, 超过, 无限, 剩下
security, secret, vulnerability: dangerous, threat, risk, attack, steal, stolen, theft, fraud, guard, protect, shield, hidden, spy, abuse, 危险, 威胁, 攻击, 风险, 伤害, 防止, 秘密
permission, access, role: authority, allowed, rights, power, control, govern, responsibility, who may, trusted, entitled, eligible, 权力, 权利, 有权, 允许, 控制, 谁能
policy, compliance: law, legal, court, justice, regulation, obligation, mandatory, ethics, constitution, 法律, 规定, 条例, 制度, 法规, 必须遵守, 标准
user, member, contact: man, woman, guy, kid, student, friend, brother, sister, family, boss, staff, employee, citizen, resident, people, folks, participant, 朋友, 孩子, 学生, 家人, 人们, 别人, 员工, 老师, 同学, 人员名单
team, group, organization: committee, club, union, league, department, party, community, council, alliance, agency, institute, company, 委员会, 团体, 协会, 集团, 社区, 部门, 俱乐部
administrator, owner: president, chief, captain, king, leader, director, boss, head of, in charge, chairman, 领导, 主席, 主任, 负责人是谁, 经理
customer, client: buyer, visitor, guest, shopper, passenger, audience, 顾客, 客人, 乘客, 观众
invite, join: welcome, attend, participate, take part, enter, membership, 欢迎, 参与, 报名, 加入进来
message, chat: talk, speak, conversation, said, word, sentence, communicate, dialogue, discuss, 说话, 谈话, 沟通, 讲, 聊, 联络
send, notify: inform, announce, express, deliver, tell, warn, invitation, greeting, 宣布, 表示, 传递, 转告, 发布消息
reply, respond: answer, react, response, feedback, 回应, 反应, 答复一下
call, phone: voice, ring, speak, talk, 声音, 说话, 打给
speech, audio: listen, loud, silent, noise, accent, singing, voice, 听到, 听见, 念, 声音
transcript, subtitle: lecture, speech, interview, spoken, talk, dialogue, podcast, lyrics, 演讲, 采访, 对话, 讲了什么, 台词
video, recording, screen recording: film, movie, scene, camera, show, episode, television, shoot, 拍摄, 节目, 镜头, 电视, 直播
image, picture, screenshot: photo, art, draw, paint, visual, colour, sight, portrait, appearance, gallery, look like, 画, 摄影, 样子, 外观, 看起来, 图像
design, style, theme: beautiful, fashion, dress, decoration, look, artistic, brand, 漂亮, 风格, 装饰, 好看, 美术
page, site, html: front, publish, journal, magazine, newspaper, blog, online, 首页, 上网, 在线, 网友
document, text, article: write, essay, paper, chapter, book, literature, story, poem, novel, letter, 文章, 作品, 书籍, 小说, 著作, 论文, 材料, 写作
note, comment: remark, thought, opinion, criticism, praise, say, mention, feel about, 看法, 想法, 观点, 批评, 意见是
translate, locale, language: english, french, german, spanish, italian, russian, japanese, korean, dutch, portuguese, arabic, abroad, foreign, 英语, 英文, 中文, 法语, 德语, 日语, 外语
knowledge, documentation, search docs: learn, school, university, education, teach, study, lesson, theory, science, explain, understand, knowledge, beginner, 教育, 知识, 学会, 理解, 明白, 理论, 科学, 懂得, 教学
guide, tutorial, best practice: experience, proper way, technique, approach, method, advice, skills, procedure, 方法, 经验, 办法, 技巧, 方式, 做好, 指导
example, template, sample: model, case, typical, common, demo, pattern, 典型, 案例, 比如, 例如
plan, roadmap: future, goal, dream, hope, aim, ambition, strategy, intention, 未来, 目标, 打算, 希望, 方向
task, todo: job, duty, work, mission, homework, assignment, responsibility, chore, 工作, 责任, 任务, 事物, 要做的事
project: construction, building, enterprise, venture, undertaking, 建设, 工程项目
priority: serious, important, urgent, crucial, essential, vital, critical, minor, severe, 重要, 严重, 关键, 重点, 优先
assign: responsible, owner, belongs, dedicated, 负责, 属于, 交给谁
status, progress: success, situation, condition, stage, phase, result, outcome, process, how far, 过程, 情况, 局面, 现状, 状况, 进步, 程度
release, deploy: public, launch, premiere, birth, ship, out now, 公开, 推出, 上市, 发行
publish: announce, spread, broadcast, reveal, expose, 传播, 宣传, 出版, 曝光
version, history: generation, edition, previous, former, original, age, era, ancient, 历史, 时代, 以前, 原来, 古老
test, experiment: trial, attempt, try, experiment, examination, exam, prove, 试验, 考试, 尝试, 试试, 检验, 实验
build, compile: construct, assemble, produce, manufacture, factory, 制造, 制作, 生产, 组成
code, function, script: program, software, technical, engineering, formula, algorithm, logic, 技术, 程序, 逻辑, 编写
component, module: part, piece, element, unit, block, section, segment, ingredient, 部分, 成分, 零件
branch: path, direction, track, road, alternative, 道路, 方向
merge, combine: joint, unite, together, union, mix, unify, link up, 结合, 统一, 联合, 综合, 融合, 混合
split: separate, apart, divide, independent, break, 分开, 分离, 分裂, 分别
move, transfer: travel, trip, carry, transport, shift, bring, take to, leave, 旅行, 搬, 带到, 转向, 运输
location, place, map: town, city, village, street, country, island, corner, neighbourhood, area, where, region, district, avenue, square, north, south, 城市, 地方, 街道, 当地, 附近的, 位于, 国家, 农村, 地区
direction, route: road, drive, bike, walk, ride, bus, train, taxi, highway, bridge, far, miles, kilometres, cross, journey, trip, 道路, 公路, 公里, 开车, 地铁, 铁路, 走路, 骑车
elevation: mountain, hill, peak, sea, depth, 山, 高山
weather: summer, winter, snow, rain, wind, sun, cold, hot, storm, cloud, 夏天, 冬天, 气候, 温度, 阳光, 空气
flight, airport: aircraft, plane, fly, passenger, 飞机, 飞行, 机场, 航空
hotel, booking: stay, resort, room, bed, villa, holiday, tourist, 旅馆, 旅游, 房间, 游客
restaurant, food: eat, drink, hungry, coffee, breakfast, dinner, lunch, beer, kitchen, chicken, bread, burger, delicious, 咖啡, 食物, 美食, 好吃, 吃饭, 饮料
recipe: cook, kitchen, sugar, milk, eggs, cake, meat, rice, vegetables, 厨房, 做饭
hospital, doctor, health record: medical, sick, disease, pain, treatment, surgery, patient, clinic, medicine, nurse, 医院, 治疗, 医生, 患者, 药品, 手术
music, song: guitar, piano, dance, band, concert, singing, 歌曲, 唱歌, 舞蹈, 歌手
game, sport: ball, match, win, season, championship, tournament, soccer, baseball, tennis, league, team, 游戏, 比赛, 冠军, 球队, 球员, 篮球
news: politics, president, war, election, government, world, crisis, headline, 政府, 政治, 战争, 选举, 国际, 世界, 报道
stock, finance: bank, investment, market, trade, profit, economic, shares, fund, 投资, 市场, 经济, 银行, 股份, 基金, 金融
product, order, inventory: shop, goods, retail, supply, warehouse, sell, buy, supermarket, 销售, 货物, 商品, 供应
shipping, delivery: package, parcel, cargo, truck, arrive, post, 运输, 快递, 送到, 到达
device, phone: equipment, machine, tool, gadget, hardware, laptop, 装置, 电脑, 工具, 机器
screen, display: visible, front, face, see, shown, visual, 眼前, 看见, 看到, 出现, 显示出
button, click: hit, press, push, touch, finger, hand, 按, 手指, 触摸
type, fill: write, enter, name, letter, word, 写上, 填上, 输入进
scroll, swipe: down, further, slide, bottom, 往下, 下面, 继续看
file, folder: paper, box, drawer, material, stuff, 东西, 资料, 材料
storage, disk: space, room, keep, hold, warehouse, capacity, 空间, 留下, 保留, 存放
database, table, record: data, facts, row, entry, list of, register, archive, 数据, 名单, 记载
query, sql: question, ask, inquiry, figure, 问题, 求
index: fast, quick lookup, speed, 加快
backup, snapshot: copy, spare, safe, preserve, insurance, restore, 保存一份, 备用, 保留
server, machine, virtual machine: computer, hardware, box, host, engine, 计算机, 电脑, 机器
cluster, kubernetes: machines, fleet, orchestra, group of servers, 一群机器
container, pod: package, box, capsule, isolated, 盒子
network, firewall: wall, gate, door, block, traffic, connection, wireless, border, 入口, 封锁, 边界, 大门
certificate, key: lock, seal, proof, identity, license, passport, trust, 证明, 证书, 信任, 资格
login, session, authenticate: enter, identity, account, door, member area, 身份, 进入, 进去
verification: prove, confirm, evidence, identity, true, witness, 证实, 证明, 确认, 真实
scan, audit: search through, inspect, examine, check, survey, hunt for, 检查, 审查, 考察
accessibility: blind, eye, sight, hearing, wheelchair, disability, elderly, colour blind, 老人, 眼睛, 残疾人
seo, search engine: google, popular, famous, attention, reputation, visible, 排名, 知名, 流行
analytics: popular, trend, audience, behaviour, growth, habit, visitors, 趋势, 流行, 热门, 增长
alert, notification: alarm, danger, warn, attention, emergency, notice, wake, 注意, 警报, 小心, 提醒一下
feedback, review: opinion, rating, criticism, satisfied, impression, happy, unhappy, judge, 评价, 满意, 意见, 态度
favorite, star: love, like, enjoy, preferred, appreciate, beloved, 喜爱, 喜欢, 热爱, 最爱的
emoji, reaction: smile, laugh, heart, love, thumbs, sad, happy, funny, 笑, 爱心, 开心, 难过
subscribe, follow: interested, attention, watch, stay tuned, 关心, 关注着, 感兴趣
archive: past, retired, museum, attic, old, history, 过去的, 退休
label, tag, category: type, kind, sort, class, genre, species, group, colour, 类型, 种类, 性质, 分类到
link, relation, dependency: connected, related, belongs, tied, associated, cause, bond, chain, 关系, 相关, 联系, 有关, 涉及
parent, child: family, mother, father, son, daughter, baby, 上面的, 下面的
template, theme: style, format, fashion, look, 样式, 形式, 格式
simulate, mock, fake: pretend, artificial, imaginary, dummy, false, fiction, magic, act as, 假的, 虚拟, 假设, 假装, 人工
echo: repeat, same, again, 再说一遍, 重复
sequential thinking, thinking: mind, brain, logic, complex, difficult, puzzle, philosophy, consider, decision, complicated, careful, 思考, 想想, 考虑, 复杂, 仔细, 判断, 决定
environment variable, configuration: setting, circumstances, conditions, surroundings, 条件, 环境
default: normal, usual, standard, ordinary, regular, typical, 普通, 一般, 通常, 正常
public: open, world, everyone, anybody, free, 公众, 大家, 开放, 任何人
private: own, personal, secret, alone, inside, confidential, 个人, 私人, 内部
batch, bulk: mass, several, group, many, thousands, together, all at once, 大量, 大批, 许多, 很多, 同时, 一系列
stream, realtime: live, instant, immediately, continuous, flow, 现场, 立即, 立刻, 马上, 实时
queue: wait, line, order, pending, next, 等待, 排队, 下一个
retry, rerun: again, once more, repeat, second time, another chance, 再次, 重新, 再度, 又一次
rollback, revert, undo: back, return, earlier, mistake, regret, restore, previous, 回到, 恢复, 返回, 后悔, 撤回
duplicate, clone, copy: twin, same, double, identical, pair, 同样, 一样, 双
random, sample: any, arbitrary, some, 随便, 随机
estimate, calculate: roughly, approximately, expected, predict, probably, how long, how much, 大约, 预计, 多久, 多长
distance, matrix: far, miles, metres, kilometres, near, closest, minutes, 多远, 公里, 靠近, 接近, 分钟
size: huge, tiny, enormous, large, big, small, wide, 巨大, 大型, 规模, 面积
recommendation, advisor: better, ideal, suitable, wise, suggest, opinion, should i, 建议, 合适, 适合, 更好, 应当
terraform, infrastructure: foundation, base, structure, 基础, 结构
instrumentation, telemetry: observe, sensor, measure, measure my app, 观察, 测量
audit log, activity log: responsible, guilty, witness, trace, evidence, who did, track, 谁做的, 证据, 记录下来, 责任
`;
