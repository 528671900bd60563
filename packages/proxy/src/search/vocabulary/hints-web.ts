/** Hints to tools for the web, browsers, phones, APIs, design and maps. The format is described in `groups.ts`. */
export const WEB_HINTS = `
screenshot: picture of the page, what does it look like, capture, grab the screen, photo of the screen, image of the tab, see the page, shows right now, snap, 画面, 抓图, 拍下屏幕, 当前画面, 抓屏, 长什么样
console log, console: javascript messages, printed by the page, browser messages, developer tools output, script output, 控制台, 脚本输出
console error: script exceptions, javascript fails, red messages, page throws, broken script, 脚本报错, 页面报错, 脚本错误
network log: requests of the page, what did the page load, traffic, over the wire, api calls of the page, xhr, 网络请求, 发了哪些请求
network error: failed requests, http errors, 404, 500, could not be loaded, requests went wrong, 请求失败, 加载失败
wipe log, clear log: throw away messages, empty the log, start fresh, forget messages, 清掉日志
selected element: what did i pick, highlighted part, marked element, 选中的元素
accessibility: blind, disabled, deaf, impaired, screen reader, usable for everyone, handicap, wcag, contrast, older people, 视障, 残障, 盲人, 看不见
accessibility auth config, auth config: login for the scan, stored login, site behind a login, password protected pages, 扫描用的登录
accessibility issue: barriers found, problems for blind people, 无障碍问题
scan: examine, go through, search for problems, inspect, check up, crawl for, 扫描, 检测
performance audit, performance: slow page, loading time, speed, takes long, quick, lighthouse, fast, 加载慢, 打开慢, 网速, 卡
seo audit, seo: google, found in search, ranking, findable, search engines, visible on google, 搜索排名, 收录
audit: check up, inspection, overall check, go over, examine everything, 全面检查, 体检
best practice audit: modern standards, properly built, clean website
navigate: go to, open a page, visit, surf to, load the website, call up a page, bring up a site, 打开网址, 访问网页, 去到
go back: previous page, one page back, return, back button, 上一页, 返回
go forward: next page again, forward button, 下一页
click: press, push, hit, tap, activate, follow a link, choose, 点一下, 按一下, 点开
click switch tab, tab: open in a new window, second window, other window, 新窗口, 新标签
iframe: embedded frame, page inside a page, inner frame, widget in the page, 内嵌, 嵌入的页面
fill: type, enter, write into a field, complete a form, put my name, input, text box, key in, 填, 输入框, 填上, 写进表单
select: choose, dropdown, pick from a list, option, 下拉, 选一项
hover: mouse over, cursor, pointer, rest on, without clicking, tooltip, point at, 鼠标, 悬停, 停在, 移到上面, 指向
drag: pull, move an element, drop somewhere else, slide over, 拖, 拖到, 拖过去
press key: hit enter, escape, shortcut, keyboard, key, tab key, 回车, 快捷键, 按键
upload file: attach, put a file into the form, choose a file, hand in a document, 上传附件, 选文件
evaluate: run javascript, execute script in the page, own code in the page, 执行脚本, 跑一段js
resize, viewport: window size, look like a phone, smaller window, bigger window, mobile view, tablet view, dimensions, responsive, 窗口大小, 手机尺寸, 调整窗口
user agent: pretend, disguise, different browser, believe, pose as, firefox, as if, identify as, masquerade, 伪装, 假装, 冒充
close browser, close: shut, end, done with the browser, quit, 关掉浏览器
save pdf, pdf: print, paper, printable, document of the page, 打印, 打印成
visible text: what does the page say, words on the page, read the page, plain text of the page, 页面文字, 网页上写了什么
visible html, html: source code of the page, markup, page source, 页面源码
expect response, assert response: wait for the answer of the server, check what the server answers, backend answers, 等待响应, 接口返回
http get, http post, http request: call an address, call a web service, send data to an address, rest call, 调用接口, 发请求
http put, http patch, http delete: rest, change over http, overwrite a resource
scrape: read a website, get the text of a page, blocked page, protected page, bypass, unlock, extract from a site, anti bot, captcha, harvest, 抓网页, 反爬, 绕过, 爬, 抓取内容
scrape batch, batch: many pages, several at once, list of addresses, bulk, 多个网页, 一批
web search, search engine, search web: google, look up on the internet, find online, bing, news about, look for information, what does the internet say, search hits, current information, 上网查, 网上搜, 搜一搜, 查资料, 百度一下
local search, search place: near me, around the corner, nearby, dentist, restaurant, shop, doctor, hairdresser, pharmacy, open now, bakery, where can i eat, plumber, cafe, in the neighbourhood, 附近, 周边, 哪里有, 边上
search suggestion, suggestion: autocomplete, related searches, better search words, what do people search, 联想词, 搜索建议
instance info: what can the search service do, supported engines, search providers, capabilities, 支持哪些
search engine batch: several searches at once, many questions to google
discover: find relevant pages, research, dig up, 发掘
fetch, fetch html, fetch url: download a page, get a website, load an address, raw page, contents of a url, 下载网页, 取网页
markdown: readable text, clean text, without ads, plain, text for reading, formatted text, 纯文本, 可读文本
readable: main text, article only, without ads, without menus, reader view, distraction free, 正文, 去广告
fetch json, json: data from an address, machine readable, api data, 数据接口
transcript, youtube transcript: what do they say, words of the video, subtitles, without watching, clip, spoken text, written version, captions, talk as text, 视频里说, 视频文字, 说的话, 文字稿, 台词
image fetch: pictures of an article, photos on the page, illustrations, 网页里的图片
figma, design: mockup, layout file, drawing by the designer, ui design, prototype, wireframe, 设计稿, 原型, 界面设计
download figma image, figma image: export icons, graphics, pictures of the design, svg, png, assets, 导出图标, 切图, 素材
api, collection: interface, requests, endpoints, saved requests, rest calls, 接口
run collection: send all requests, test the api, does the api work, execute requests, 跑接口测试, 接口都正常吗
collection request, request: api call, saved call, endpoint call, 接口请求
collection response, response: example answer, sample answer, saved answer, what comes back, 示例返回, 返回示例
collection folder, folder: group of requests, section of requests, 请求分组
collection fork: own version of the collection, branch of the collection
pull collection change: get changes of the original, bring my fork up to date, 从原集合拉取
collection pull request: suggest my changes to the collection
duplicate collection: copy of the collection, second copy
put collection: replace everything in the collection, overwrite the collection
patch collection: rename the collection, small change of the collection
publish documentation: make the manual public, api docs for everyone, put the docs online, 公开文档
unpublish documentation: take the docs offline, hide the manual, 下线文档
mock, mock server: fake server, pretend api, simulated answers, dummy backend, before the backend is ready, stand in, placeholder, 假接口, 模拟接口, 假数据
mock server response: fake answer, simulated error, pretend answer, 模拟返回, 假响应
monitor run, monitor: check the api regularly, every hour, still answers, watch the api, scheduled test, 定时检查接口, 接口还通吗
spec, specification: api description, contract, openapi, swagger, interface definition, api definition, 接口定义, 接口描述
spec file: part of the api description, one document of the description
generate collection: turn the api description into requests, requests from swagger
generate spec: api description from requests, describe my requests
sync collection spec: bring in line with the description, keep description and requests the same, out of date description, 保持一致
sdk: client library, ready made code to call the api, python library, program against, code package, 客户端库, 代码包
sdk download url: where do i get the library, download the generated code
git connection: connect to a repository, where is the generated code pushed
environment: set of variables, staging, production, test settings, values for testing, 一组变量, 测试环境
global variable: values everywhere, shared values, 全局变量
workspace: shared area, team area, place to work, room, project space, 协作区, 空间
workspace role: who may edit, who can see, access to the area, permissions, share with, 谁能编辑, 谁能看
workspace update: announcement, news post, inform everyone, message to watchers, bulletin, 公告, 动态
delete workspace update: take back the announcement, withdraw the news, pull back, 撤回公告
workspace activity feed, activity feed: who did what, recent changes, what happened in, latest activity, 最近动态, 谁做了什么
private network: internal directory, company api directory, internal catalogue, inside the company, 内部目录, 公司内部
add request, access request: asks to join, wants in, waiting for permission, apply for access, pending requests, may i join, 申请加入, 待审批, 申请权限
approve access request: let him in, decide on requests, say yes or no, 同意申请
partner invite, partner: outside company, external people, invite outsiders, supplier, 合作方, 外部人员
analytics: usage figures, how much is used, statistics, how heavily, popular, traffic numbers, trends, who uses, 使用情况, 使用数据, 热度
api catalog, service catalog: list of all our services, which apis do we have, inventory of apis, 接口目录, 服务清单
discovered service: unknown apis, forgotten services, shadow, undocumented
service endpoint: addresses of the service, which paths, routes
ci run: test runs in the pipeline
system environment: stages, production and staging, deployment stages
specification lint: quality of the api description, mistakes in the description
context graph: ask about our software, which service calls which
component: reusable block, building block, shared part, module of the page, 可复用, 组件, 积木
component version: published version of a part
component draft: unpublished version of a part, working copy
package: script library, shared script, reusable code
comment thread: conversation under
tagged entity: everything with this tag, elements that carry, what is marked with
async task status, task status: is it finished, still running, how far, done yet, background job, progress of, 完成了吗, 跑完了吗, 还在跑吗
site: website, web presence, homepage, internet page, 网站, 官网
publish site: put online, make live, go live, make changes visible, 上线网站, 发布
page list, list page: which pages, sub pages, site map, 有哪些页面
page content: text of the page, what is written on the page, 页面内容
page metadata, page setting: title for google, preview text, description for search engines, slug, social sharing, 标题描述
static content, locale: translation, other language, french, german, spanish, chinese version, wording, localised, foreign language, 翻译, 法语, 英文版, 多语言
cms collection, collection item, cms: articles, blog posts, content entries, news items, products of the website, website content, 文章, 博客, 内容库, 网站内容
create item, collection item create: write an article, new blog post, new entry, add content, 新文章, 发文章
update item live, create item live: change immediately visible, directly online
publish item: make the article visible, put the post online, release drafts
delete item, collection item delete: take an article out, remove a post, 删文章
collection field, field create: new column, additional property, extra input, date column, 加一列, 加字段
option field: choices, dropdown column, predefined values
reference field: link to another collection, relation between entries
element builder, element: heading, box, paragraph, put on the page, block of the page, layout part, 标题, 方块, 版块
element tool: what is selected, parts of the page, change an element
style: colour, font, look, appearance, css, spacing, 颜色, 字体, 外观
variable tool: design values, brand colours, tokens
asset: pictures, media files, images, logos, uploaded files, 图片素材
script: javascript snippet, tracking code, analytics code, embed code, 脚本, 统计代码
image preview: look at the picture, show the picture
netlify, hosting: web host, where my site runs, 托管
deploy site, deploy: put online, publish, go live, bring to production, upload the site, 上线, 发布出去
extension, plugin: add on, extra feature, additional function, 插件
visitor access control: password protect the site, who may see the site, 访问密码
form submission, form: contact form, messages from visitors, 表单
shopify, shop: online store, web shop, products, orders, e commerce, discount, cart, checkout, 网店, 商店, 电商
theme, validate theme: look of the shop, liquid, shop template, 店铺主题
graphql: query language of the shop, api schema
feedback: how good was it, rating, tell the makers, grade the tools, satisfied, 反馈, 评价
echo: say back, repeat, same text, parrot, 回声, 原样返回, 重复一遍
sum: add numbers, plus, together, calculate, 加起来, 求和, 相加
long running operation: slow job, progress bar, takes a while
elicitation: ask the user, question to the human, form for the user, let the person decide, missing information, 问用户, 向用户提问
sampling: ask the model, let the client's ai answer, use the client model, 让模型生成
annotated message: example with priority
resource link, resource reference: pointer to data
simulated logging: fake log messages
subscriber update: fake change events, pretend changes
structured content: machine readable example, weather sample
roots list, root: which folders did the client allow, shared folders
tiny image: little picture, logo
device: phone, handset, tablet, iphone, android, smartphone, gadget, 手机, 平板, 设备
available device, list device: which phones, connected phones, what can i test on, plugged in, 连了哪些手机, 有哪些设备
allocate remote device, remote device: borrow a phone, rent a phone, reserve, phone in the cloud, 借一台, 云手机
release remote device: give the phone back, done with the phone, return it, 归还手机, 还回去
list app: installed programs, which apps, what is on the phone, 装了哪些应用
foreground app: which app is open, what is in front, currently shown app, 当前打开的应用, 正在用的应用
launch app: open, start, bring up, run a program, begin, 打开应用, 启动应用, 开一下
terminate app, stop app: close, quit, kill, force quit, end the program, 关掉应用, 退出应用, 强行关闭
install app: put on the phone, get the app, add a program, apk, ipa, 装应用, 安装到手机
uninstall app: take off, remove a program, get rid of an app, 卸载, 删应用
screen size: resolution, pixels, how wide, how big is the display, dimensions, 分辨率, 屏幕多大
tap, click screen, coordinate: touch, press on, finger, point, 点屏幕, 触摸
double tap: two quick taps, tap twice, 连点两下
long press: keep the finger, hold down, press for two seconds, 按住
list element screen, screen element: what is visible, which buttons, what can i press, controls, what is on the display, 屏幕上有什么, 有哪些按钮
press button: home, volume, back button, power, louder, quieter, 音量, 返回键, 主页键
open url: show a website on the phone, go to an address, 打开网址
swipe: scroll, slide, move up, flick, next picture, unlock, 滑, 划, 翻页
type key: write text, enter text, on the keyboard, 打字, 输入文字
orientation: upright, sideways, landscape, portrait, rotated, turned, tilt, horizontal, vertical, held, lying, 横, 竖, 横过来, 竖着, 旋转屏幕
set location: pretend to be in, fake position, gps, different city, somewhere else, 假装在, 改定位, 虚拟定位
clipboard: copied text, copy paste, what did i copy, paste, 剪切板, 复制的内容, 粘贴板
device log: messages of the phone, logcat, what does android print, 手机日志
screen recording: film, video of the screen, tape, capture video, what i do on the phone, 录屏, 拍视频
stop screen recording: enough filming, end the video, 停止录屏, 录完了
crash report, crash: app died, closed by itself, fell over, stopped working, gone down, 闪退, 崩了, 自己关了
batch command: several steps at once, sequence of actions, one after the other, many taps, 连续操作, 一串操作
ui snapshot, snapshot ui: structure of the screen, which controls, 界面结构
record video: film the simulator, capture a demo
session default: remembered settings, preset, so i need not repeat, usual project, 默认设置
app path: where is the built app, location of the program file
geocode, forward geocode: where is, position of an address, coordinates of, on the globe, on the map, latitude of, find a street, 在哪, 地址的坐标, 定位地址
reverse geocode: which town, which street, what is at, latitude and longitude, where am i, name of the place, coordinates, 是什么地方, 哪个城市, 这个坐标
direction, directions: way, how do i get, drive, walk, cycle, route, navigate, path from, journey, get there, bus, 怎么去, 怎么走, 路怎么走, 导航到
distance matrix, matrix: how far apart, travel times between, driving time, how long does it take, nearest of several, compare distances, 相距多远, 要多久, 哪个更近
isochrone: reach, within ten minutes, on foot, how far can i get, reachable area, by bike in, walking distance, 分钟能到, 步行可达, 能到哪, 多远的范围
elevation: how high, above sea level, mountain, altitude, height, hill, 多高, 海拔
place detail: opening hours, phone number of a shop, rating of a restaurant, reviews, when does it open, is it open, telephone of, website of a place, 营业时间, 几点开门, 店铺电话, 评分
category search, poi search: all hotels, gas stations, museums, find a brand, starbucks, nearest, 加油站, 酒店, 咖啡店
static map image, map image: picture of a map, map section, show the area, map for my report, city map, 地图截图, 一张地图
map: area, region, globe, atlas, world, 地图
weather, forecast: rain, sun, temperature, umbrella, warm, cold, storm, hot, degrees, 下雨, 冷不冷, 气温, 带伞
time, current time: what time is it, clock, now, date today, 几点了, 现在几点, 今天几号
convert time, timezone: what time is it in, other part of the world, time difference, 时差
audit mode, best practice audit: what could be better, improve the site, built the right way, modern website, up to date site, quality of my site, 哪里可以改进, 网站质量
press key: escape key, send a key, keyboard, 回车键, 按键
fill: surname, sign up form, my name, first name, 姓名, 写上
navigate: start page, take the browser, home page, 首页
iframe click: button in a frame, frame of another provider, payment frame
figma data, figma: fonts, spacings, colours of the design, which fonts, designer, 字体, 间距
image fetch: article with pictures, pictures and text, 图文
static map image: city plan, little map, flyer, plan of the town, 城市地图
readable: adverts, ads, story itself, only the text, essence, 不要广告, 只要正文
web url read, fetch: what is written on, read this page, contents of the address, 网页写了什么
web search: what do people write, elections, opinions on the internet, current topic, 网上怎么说, 大家怎么看
echo: give back exactly, what i send, repeat after me, 原封不动
elicitation: human, missing details, ask me, let me fill in, 让用户填, 补充信息
sampling: ai on the other side, let the model write, client's model
rich menu default: button bar, everybody sees, 默认菜单栏
flex message: cards, swipe through, several cards, 卡片, 左右滑动, 轮播
batch command: series of taps, whole series, without asking each time, 一系列操作
click screen, tap: finger, middle of the display, 点一下屏幕, 屏幕中间
available device: test phones, phones could i use, 测试手机, 可以用来测试
geocode: eiffel tower, where is this landmark, latitude of, 坐标, 铁塔
pull collection change: original changed, bring my version up to date, parent changed, 原来的变了
collection tag: keywords of the requests, sort under keywords
update pull request: change who should check, other reviewers, retitle the proposal
access request: waiting to be let in, wants to join, who is waiting, 等着加入, 申请的人
team setting: how is the team configured, rules of the team
get workspace: is the area open to everyone, who can see the area, visibility
git connection: into which repository, where is the client code delivered
publish item: let visitors see, articles i prepared, 让访客看到
static field: posts need a date, new property for posts
page list: subpages, 有哪些子页面, 下面有哪些页面
ask ai, webflow ai: assistant of the site builder, put a question to the assistant
project reader, get project: which sites do i have, my sites, 我的网站
deploy site: bring my changes to the public site, 部署网站
`;
