//! Functions of Rust's library as programs use them most, compiled once: a crate that is not optimised takes over what another
//! one, which it is linked with, has made of the same generic function for the same types. Nothing here is ever called.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::{Debug, Display};
use std::hash::Hash;

fn used<T>(_: T) {}

fn items<T: Clone + PartialEq + PartialOrd + Debug>(item: T, mut all: Vec<T>) -> Option<T> {
    let mut made: Vec<T> = Vec::new();
    made.push(item.clone());
    made.extend(all.iter().cloned());
    made.extend_from_slice(&all);
    made.insert(0, item.clone());
    made.swap(0, 1);
    made.reverse();
    made.truncate(9);
    let mut large = Vec::with_capacity(all.len());
    large.append(&mut made);
    all[0] = large[1].clone();
    for one in &all {
        used(one);
    }
    for one in all.iter_mut() {
        *one = item.clone();
    }
    for (at, one) in all.iter().enumerate() {
        used((at, one));
    }
    for one in all.iter().rev() {
        used(one);
    }
    for one in all.clone() {
        large.push(one);
    }
    for one in all.iter().skip(1).take(2) {
        used(one);
    }
    for one in all.iter().zip(large.iter()) {
        used(one);
    }
    used((all == large, all.contains(&item), all.is_empty(), all.len(), large < all, &all[1..2], &all[1..], &all[..1]));
    used((all.first(), all.last().cloned(), all.get(0), vec![item.clone(); 3], vec![item], format!("{:?}", all)));
    used((all.to_vec(), all.iter().count(), all.into_iter().rev().collect::<Vec<T>>()));
    large.remove(0);
    large.clear();
    large.pop()
}

fn ordered<T: Ord + Clone>(mut all: Vec<T>) -> Option<T> {
    all.sort();
    all.sort_unstable();
    all.dedup();
    used((all.iter().min(), all.iter().max().cloned()));
    used((all.binary_search(&all[0]).ok(), all.iter().cloned().max()));
    all.into_iter().min()
}

fn keys<K: Eq + Hash + Ord + Clone + Debug>(key: K, all: Vec<K>) {
    let mut counts: HashMap<K, i32> = HashMap::new();
    *counts.entry(key.clone()).or_insert(0) += 1;
    counts.insert(key.clone(), 1);
    used((counts.get(&key), counts.contains_key(&key), counts.len(), counts.get(&key).copied().unwrap_or(0)));
    for (one, count) in &counts {
        used((one, count));
    }
    let mut sorted: BTreeMap<K, i32> = BTreeMap::new();
    *sorted.entry(key.clone()).or_insert(0) += 1;
    let mut set: HashSet<K> = all.into_iter().collect();
    used((set.insert(key.clone()), set.contains(&key), set.len(), set.remove(&key)));
    used(set.iter().cloned().collect::<Vec<K>>());
}

fn printed<T: Display + Debug + PartialEq>(one: T) -> String {
    used(Some(&one) == None);
    format!("{} {:?} {}", one, one, one.to_string())
}

macro_rules! numbers {
    ($($name:ident: $type:ty),*) => {$(
        pub fn $name(from: $type, to: $type) -> $type {
            let mut all: Vec<$type> = (from..to).collect();
            for one in from..=to {
                all.push(one);
            }
            for one in (from..to).rev() {
                all.push(one);
            }
            for one in (from..to).step_by(2) {
                all.push(one);
            }
            used((items(from, all.clone()), ordered(all.clone()), printed(from), "1".parse::<$type>().unwrap_or(to)));
            used((from.pow(2), from.min(to), from.max(to), all.iter().product::<$type>(), (from..to).contains(&to)));
            all.iter().sum::<$type>() + all.into_iter().sum::<$type>()
        }
    )*};
}

numbers!(of_i32: i32, of_i64: i64, of_usize: usize, of_u32: u32, of_u64: u64);

macro_rules! reals {
    ($($name:ident: $type:ty),*) => {$(
        pub fn $name(one: $type, all: Vec<$type>) -> $type {
            used((items(one, all.clone()), printed(one), "1".parse::<$type>().unwrap_or(one), one.max(one), one.min(one)));
            all.iter().sum::<$type>() + all.into_iter().sum::<$type>()
        }
    )*};
}

reals!(of_f32: f32, of_f64: f64);

pub fn of_texts(text: &str, mut own: String, letter: char) -> String {
    own.push(letter);
    own.push_str(text);
    own += text;
    let letters: Vec<char> = text.chars().collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let parts: Vec<String> = text.split(' ').map(String::from).collect();
    used((text.split(letter).collect::<Vec<&str>>(), text.split(", ").collect::<Vec<&str>>(), text.lines().count()));
    used((text.contains(letter), text.contains("a"), text.find("a"), text.starts_with("a"), text.ends_with("a")));
    used((text.replace("a", "b"), text.trim(), text.to_lowercase(), own == text, own.len(), text.to_string()));
    used((text.chars().rev().collect::<String>(), letters.iter().collect::<String>(), text.chars().count()));
    used((letters.clone().into_iter().collect::<String>(), letters.iter().rev().collect::<String>()));
    used((parts.join(" "), words.join(" "), parts.concat(), text.chars().nth(0), letter.to_string(), letter.to_digit(10)));
    for (at, one) in text.chars().enumerate() {
        used((at, one));
    }
    for (at, one) in text.char_indices() {
        used((at, one));
    }
    for one in text.bytes() {
        used(one);
    }
    items(letter, letters.clone());
    ordered(letters.clone());
    keys(letter, letters);
    items(text, words.clone());
    ordered(words);
    items(own.clone(), parts.clone());
    ordered(parts.clone());
    keys(own.clone(), parts);
    used((printed(letter), printed(text)));
    printed(own)
}

pub fn of_others(all: Vec<Vec<i32>>, bytes: Vec<u8>, flags: Vec<bool>, pairs: Vec<(i32, i32)>) -> String {
    items(all[0].clone(), all.clone());
    ordered(all.clone());
    items(0u8, bytes.clone());
    ordered(bytes);
    items(true, flags);
    items((0, 0), pairs.clone());
    ordered(pairs);
    keys(1, all[0].clone());
    used((Some(1) == None, Some(1).unwrap_or(2), Some(String::new()).unwrap_or_default(), Some(1.5) == None));
    used((items(Vec::new(), vec![vec![String::new()]]), printed(true), Some(all.clone()) == None));
    format!("{:?}", Some(all))
}
