// Shortcodes that monitoring tools put before their messages, as Slack, ntfy and GitHub name them.

const EMOJI = new Map(
  `
    +1 👍  -1 👎  alarm_clock ⏰  arrow_down ⬇️  arrow_up ⬆️  ballot_box_with_check ☑️  bangbang ‼️
    bar_chart 📊  battery 🔋  beer 🍺  bell 🔔  black_circle ⚫  bomb 💣  book 📖  boom 💥  bug 🐛  bulb 💡
    calendar 📆  camera 📷  chart_with_downwards_trend 📉  chart_with_upwards_trend 📈  check ✅  clap 👏
    clipboard 📋  clock1 🕐  cloud ☁️  coffee ☕  cold_face 🥶  computer 💻  construction 🚧  cop 👮
    crossed_fingers 🤞  cry 😢  cyclone 🌀  door 🚪  droplet 💧  email 📧  exclamation ❗  eyes 👀  facepalm 🤦
    fire 🔥  floppy_disk 💾  gear ⚙️  ghost 👻  green_circle 🟢  grey_exclamation ❕  grey_question ❔
    hammer 🔨  heart ❤️  heavy_check_mark ✔️  heavy_exclamation_mark ❗  hot_face 🥵  hourglass ⌛  house 🏠
    information_source ℹ️  key 🔑  large_blue_circle 🔵  large_green_circle 🟢  large_orange_circle 🟠
    large_red_circle 🔴  large_yellow_circle 🟡  link 🔗  lock 🔒  loudspeaker 📢  mag 🔍  mailbox 📫  mega 📣
    memo 📝  money_with_wings 💸  moneybag 💰  moyai 🗿  muscle 💪  no_entry ⛔  no_entry_sign 🚫
    octagonal_sign 🛑  ok 🆗  ok_hand 👌  orange_circle 🟠  package 📦  partying_face 🥳  point_right 👉
    pray 🙏  pushpin 📌  question ❓  rainbow 🌈  raised_hands 🙌  recycle ♻️  red_circle 🔴  robot 🤖
    rocket 🚀  rotating_light 🚨  satellite 📡  scream 😱  seedling 🌱  shield 🛡️  skull 💀
    skull_and_crossbones ☠️  slightly_smiling_face 🙂  smile 😄  snail 🐌  snowflake ❄️  sob 😭  sos 🆘
    sparkles ✨  speech_balloon 💬  star ⭐  stop_sign 🛑  stopwatch ⏱️  sunny ☀️  tada 🎉  thermometer 🌡️
    thinking 🤔  thumbsdown 👎  thumbsup 👍  traffic_light 🚥  triangular_flag_on_post 🚩  unlock 🔓
    warning ⚠️  wastebasket 🗑️  wave 👋  whale 🐳  white_check_mark ✅  white_circle ⚪  wrench 🔧  x ❌
    yellow_circle 🟡  zap ⚡  zzz 💤
  `
    .trim()
    .split(/\s{2,}/)
    .map((pair) => pair.split(' ') as [string, string]),
);

/** The emoji of a shortcode without its colons, or nothing. */
export function emojiOf(code: string): string {
  return EMOJI.get(code) ?? '';
}

/** The text with the shortcodes that are known (`:fire:`) as emoji. */
export function withEmoji(text: string): string {
  return text.replace(/:([a-z0-9_+-]{1,40}):/g, (all, code: string) => emojiOf(code) || all);
}
